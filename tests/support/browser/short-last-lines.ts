import type { Page } from "playwright/test"

/** Letters from which on a word may stand alone on a line. */
const LONG = 6

/** Returns the visible headings, sentences and buttons whose last line is one short word. */
export function shortLastLinesOn(page: Page): Promise<string[]> {
  return page.evaluate(shortLastLines, LONG)
}

/** Runs in the page. */
function shortLastLines(long: number): string[] {
  const boxes = [...document.querySelectorAll("h1, h2, p, small, button, .button, .row > :last-child")]
  const shown = boxes.filter((it) => it.checkVisibility({ visibilityProperty: true }) && !isGrid(it))
  return shown.filter(endsShort).map((it) => it.textContent)

  /** What stands in cells has lines of its own. */
  function isGrid(box: Element): boolean {
    return getComputedStyle(box).display === "grid"
  }

  function endsShort(box: Element): boolean {
    const words = textsIn(box).flatMap(wordsOf)
    const last = words.at(-1)
    if (!last) return false
    const lastLine = words.filter(({ top, height }) => top > last.top - height / 2)
    return lastLine.length === 1 && words.length > 1 && last.text.length < long
  }

  function textsIn(box: Element): Node[] {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    return texts
  }

  function wordsOf(text: Node) {
    return [...(text.textContent ?? "").matchAll(/[^ \n]+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const { top, width, height } = range.getBoundingClientRect()
      return width > 1 ? [{ text: word, top, height }] : []
    })
  }
}
