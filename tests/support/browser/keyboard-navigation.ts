import { expect, type Locator, type Page } from "playwright/test"

/** More tab stops than any page has. */
const STOPS = 80

/** Presses Tab until an element has the focus. Every stop must be visible and show its focus. */
export async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS; stop++) {
    await page.keyboard.press("Tab")
    expect(await page.evaluate(unseenFocus)).toBe("")
    if (await isFocused(goal)) return
  }
  throw new Error(`Tab does not lead to ${goal}`)
}

/** Reaches a button or link by Tab and presses it. */
export async function press(page: Page, goal: Locator): Promise<void> {
  await tabTo(page, goal)
  await page.keyboard.press("Enter")
}

/** Reaches a field by Tab and replaces its content. */
export async function typeInto(page: Page, goal: Locator, text: string): Promise<void> {
  await tabTo(page, goal)
  await page.keyboard.press("Control+a")
  await page.keyboard.type(text)
}

async function isFocused(goal: Locator): Promise<boolean> {
  const fitting = await goal.all()
  const focused = await Promise.all(
    fitting.map((it) => it.evaluate((element) => element === document.activeElement)),
  )
  return focused.includes(true)
}

/**
 * Runs in the page: returns the focused element if it shows no outline on itself or its card, otherwise "". After the
 * last stop the focus is in the browser's own interface.
 */
function unseenFocus(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return ""
  const shows = [focused, focused.closest(".choice")].some((it) => {
    const { outlineStyle, outlineWidth } = it
      ? getComputedStyle(it)
      : { outlineStyle: "none", outlineWidth: "" }
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2
  })
  const { width, height, top, bottom } = focused.getBoundingClientRect()
  const inSight = width > 1 && height > 1 && bottom > 0 && top < innerHeight
  return shows && inSight ? "" : `${shows ? "out of sight" : "not shown"}: ${focused.outerHTML.slice(0, 160)}`
}
