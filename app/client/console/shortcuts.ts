/** Where the choice not to use shortcuts is kept: a key alone must be possible to switch off (WCAG 2.1.4). */
const OFF = "console-shortcuts-off"
/** How long the second key of a pair is waited for, in milliseconds. */
const PAIR_WITHIN = 1_500

/**
 * Keyboard shortcuts as the page names them: a link with `data-key` is followed by "g" and its key, "/" leads to the search,
 * "n" and "p" to the next and previous page of a list, and "?" opens the dialog that lists them all.
 */
export function startShortcuts(document: Document): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.shortcuts")
  const opener = document.querySelector<HTMLButtonElement>("button.shortcuts")
  const isUsed = dialog?.querySelector<HTMLInputElement>("input")
  if (!dialog || !opener || !isUsed) return
  opener.hidden = false
  opener.addEventListener("click", () => dialog.showModal())
  isUsed.checked = !isOff()
  isUsed.addEventListener("change", () => keepOff(!isUsed.checked))

  const read = keyReader()
  document.addEventListener("keydown", (event) => {
    if (isOff() || isOther(event) || dialog.open) return
    const typed = read(event)
    const target = typed === "?" ? opener : targetOf(document, typed)
    if (target) follow(target, event)
  })
}

/** The key is not typed into the field that it leads to. */
function follow(target: HTMLElement, event: KeyboardEvent): void {
  event.preventDefault()
  if (target instanceof HTMLInputElement) target.focus()
  else target.click()
}

/** Returns what was typed: one key, or two if the first was a "g" a moment ago. */
export function keyReader(): (typed: { readonly key: string; readonly timeStamp: number }) => string {
  let begunAt = Number.NEGATIVE_INFINITY
  return ({ key, timeStamp }) => {
    const isPair = timeStamp - begunAt < PAIR_WITHIN
    begunAt = key === "g" && !isPair ? timeStamp : Number.NEGATIVE_INFINITY
    return isPair ? `g${key}` : key
  }
}

/** Keys that belong to the browser, or to the field that is typed into. */
function isOther({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true
  return target instanceof Element && target.closest("input, select, textarea, [contenteditable]") !== null
}

function targetOf(document: Document, typed: string): HTMLElement | null {
  const selector = typed.length === 2 ? pageLink(typed.slice(1)) : selectors.get(typed)
  return selector === undefined ? null : document.querySelector<HTMLElement>(selector)
}

const pageLink = (key: string) => `nav a[data-key="${CSS.escape(key)}"]`

/** What a single key leads to. A page without a search of its own has the header's. */
const selectors: ReadonlyMap<string, string> = new Map([
  ["/", 'main input[type="search"], body:not(:has(main input[type="search"])) .bar > search input'],
  ["n", 'main a[rel="next"]'],
  ["p", 'main a[rel="prev"]'],
])

/** A browser without storage uses the shortcuts. */
function isOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null
  } catch {
    return false
  }
}

function keepOff(off: boolean): void {
  try {
    if (off) localStorage.setItem(OFF, "1")
    else localStorage.removeItem(OFF)
  } catch {
    // The choice holds for this page alone.
  }
}
