/** How often a page with live parts is read again, in milliseconds. */
const EVERY = 15_000
/** A reading that takes longer has failed. */
const TIMEOUT = 10_000

/**
 * Keeps the parts of a page that name themselves in `data-live` as the server would show them now, and tells whoever cannot
 * see it of a part's new `data-said`. A part with `data-stale` is not replaced: its notice appears when the mark changes. Rests
 * while nobody looks, and ends when the server no longer shows the page.
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

/** The page as it is now. "gone": signed out, or not there any more. Null: not answered in time. */
async function read(): Promise<Document | "gone" | null> {
  const answer = await fetch(location.href, {
    // Nobody has asked for it: the session goes on resting.
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
  const said = part.ownerDocument.querySelector("[data-says]")
  if (said && next.dataset.said !== part.dataset.said) said.textContent = next.dataset.said ?? ""
  part.replaceWith(part.ownerDocument.importNode(next, true))
}

/** A part that somebody works in keeps its place under the pointer and its focus. */
function isInUse(part: Element): boolean {
  return (
    part.contains(document.activeElement) ||
    part.querySelector(":is(a, button):hover, details[open]") !== null
  )
}
