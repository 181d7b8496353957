import type { Page } from "playwright/test"

/** Returns the visible words that are on two lines. One with a hyphen may be; addresses and numbers have no other place to break. */
export function splitWordsOn(page: Page): Promise<string[]> {
  return page.evaluate(splitWords)
}

/** Runs in the page. */
function splitWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (text.parentElement?.checkVisibility({ visibilityProperty: true })) found.push(...splitIn(text))
  }
  return found

  function splitIn(text: Node): string[] {
    return [...(text.textContent ?? "").matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      return /^\p{L}+\p{P}?$/u.test(word) && lines.size > 1 ? [word] : []
    })
  }
}
