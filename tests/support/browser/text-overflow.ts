import { expect, type Page } from "playwright/test"

/** The narrowest phones, and the narrowest common ones. */
const WIDTHS = [320, 360]

/**
 * Asserts that every text fits its box and that no horizontal scrolling is needed, with folded and unfolded details.
 */
export async function expectTextToFit(page: Page, screen: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    expect(await overflowsOn(page), `${screen} at ${width} px`).toEqual([])
  }
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true
  })
  expect(await overflowsOn(page), `${screen}, unfolded`).toEqual([])
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = false
  })
}

/** Returns the texts that overflow their boxes, and the page's width if it is too wide. */
export function overflowsOn(page: Page): Promise<string[]> {
  return page.evaluate(overflows)
}

/** Runs in the page. */
function overflows(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const sideways = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (texts.nextNode())
    if (!fits(texts.currentNode)) found.push(texts.currentNode.textContent?.trim() ?? "")
  const fields = [...document.querySelectorAll("input[placeholder], select")].filter(isCut)
  // Content left of the page cannot be scrolled to and does not widen the page.
  const outside = [...document.querySelectorAll("a, input, select, button")].filter(isOutside)
  return [...sideways, ...found, ...fields.map(shownIn), ...outside.map((it) => `${it.className} is outside`)]

  function isOutside(control: Element): boolean {
    if (!control.checkVisibility({ visibilityProperty: true }) || isMeantToBeCut(control)) return false
    const { left, right, width } = control.getBoundingClientRect()
    return width > 1 && (left < 0 || right > clientWidth + 1)
  }

  function fits(text: Node): boolean {
    const box = boxOf(text.parentElement)
    if (!box || !text.textContent?.trim() || isMeantToBeCut(box)) return true
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right } = box.getBoundingClientRect()
    const within = [...range.getClientRects()].every((it) => it.right <= right + 1 && it.left >= left - 1)
    return within && right <= clientWidth + 1
  }

  /** Returns the nearest ancestor that is not inline: lines break there. */
  function boxOf(element: Element | null): Element | null {
    if (!element?.checkVisibility({ visibilityProperty: true })) return null
    const inLine = ["inline", "contents"].includes(getComputedStyle(element).display)
    return inLine ? boxOf(element.parentElement) : element
  }

  /** Text for screen readers only, skip links that appear on focus, and long email addresses with an ellipsis. */
  function isMeantToBeCut(box: Element): boolean {
    const { textOverflow, clipPath } = getComputedStyle(box)
    return box.closest(".hidden, .skip") !== null || clipPath === "inset(50%)" || textOverflow === "ellipsis"
  }

  /** Returns the initial text of a field, or the selected option. */
  function shownIn(field: Element): string {
    if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text ?? ""
    return field instanceof HTMLInputElement ? field.placeholder : ""
  }

  function isCut(field: Element): boolean {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    const pen = document.createElement("canvas").getContext("2d")
    if (!pen || field.clientWidth === 0) return false
    pen.font = font
    const arrow = field instanceof HTMLSelectElement ? 20 : 0
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow
    return pen.measureText(shownIn(field)).width > room
  }
}
