/** How often a page with live parts is read again, in milliseconds. */
const EVERY = 15_000
/** A reading that takes longer has failed. */
const TIMEOUT = 10_000

/**
 * Replaces the parts of a page with `data-live` by what the server shows now, and announces a part's new
 * `data-announcement` to screen readers. A part with `data-stale` is not replaced: its notice appears when the mark changes.
 * Pauses while the page is hidden, and ends when the server no longer shows the page.
 */
export function startLiveUpdates(document: Document): void {
  if (!document.querySelector("[data-live], [data-stale]")) return
  let isReading = false

  async function update(): Promise<void> {
    if (isReading || document.hidden) return
    isReading = true
    const shown = await read().catch(() => null)
    isReading = false
    if (shown === "gone") clearInterval(timer)
    else if (shown) apply(document, shown)
  }

  const timer = setInterval(() => void update(), EVERY)
  document.addEventListener("visibilitychange", () => void update())
}

/** Returns the current page. "gone": signed out, or deleted. Null: no answer in time. */
async function read(): Promise<Document | "gone" | null> {
  const answer = await fetch(location.href, {
    // The operator did not ask for it: it does not count against the idle limit of the session.
    headers: { "x-live-update": "1" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (answer.type === "opaqueredirect" || answer.status === 404) return "gone"
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null
}

function apply(document: Document, shown: Document): void {
  document.title = shown.title
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const next = shown.querySelector<HTMLElement>(`[data-live="${CSS.escape(part.dataset.live ?? "")}"]`)
    if (next && !isInUse(part)) replace(part, next)
  }
  const mark = shown.querySelector<HTMLElement>("[data-stale]")?.dataset.stale
  const notice = document.querySelector<HTMLElement>("[data-stale]")
  if (notice && mark !== undefined) notice.hidden = notice.dataset.stale === mark
}

function replace(part: HTMLElement, next: HTMLElement): void {
  const liveRegion = part.ownerDocument.querySelector("[data-announcer]")
  const { announcement = "" } = next.dataset
  if (liveRegion && announcement !== part.dataset.announcement) liveRegion.textContent = announcement
  part.replaceWith(part.ownerDocument.importNode(next, true))
}

/** A part in use keeps its place under the pointer and its focus. */
function isInUse(part: Element): boolean {
  return (
    part.contains(document.activeElement) ||
    part.querySelector(":is(a, button):hover, details[open]") !== null
  )
}
