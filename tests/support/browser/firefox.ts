import { expect } from "playwright/test"
import { type Browser, launch, type Page } from "puppeteer-core"
import { findProgram } from "../../../scripts/setup/find-program.mjs"

/** Opens the distribution's Firefox, which Playwright cannot drive. Disabling script needs a browser of its own. */
export function openFirefox({ javaScriptEnabled }: { javaScriptEnabled: boolean }): Promise<Browser> {
  return launch({
    browser: "firefox",
    executablePath: findProgram("firefox-esr") ?? "firefox-esr",
    extraPrefsFirefox: { "javascript.enabled": javaScriptEnabled },
  })
}

/** Opens a page in a new browser context. */
export async function newVisitor(browser: Browser): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  return page
}

/** Waits until the page shows an element. */
export async function sees(page: Page, selector: string): Promise<void> {
  await expect.poll(() => middleOf(page, selector), { message: selector, timeout: 20_000 }).not.toBeNull()
}

/** Waits until the page has reached a URL. */
export async function arrivesAt(page: Page, address: RegExp): Promise<void> {
  await expect.poll(() => page.url(), { timeout: 20_000 }).toMatch(address)
}

/**
 * Clicks the visible part with the mouse, once it rests: a page that is still loading moves it from under the pointer. Puppeteer's
 * own click needs script in the page.
 */
export async function press(page: Page, selector: string): Promise<void> {
  let place = { x: Number.NaN, y: Number.NaN }
  await expect(async () => {
    const before = place
    place = (await middleOf(page, selector)) ?? { x: Number.NaN, y: Number.NaN }
    expect(place, selector).toEqual(before)
    expect(place.x, selector).not.toBeNaN()
  }).toPass({ intervals: [50, 100], timeout: 20_000 })
  await page.mouse.click(place.x, place.y)
}

/** Navigates to a URL; retries if loading of the previous page aborts the first attempt. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url).catch(() => page.goto(url))
}

/** Clicks a link until the page shows its target: a page that is still loading may move. */
export async function open(page: Page, link: string, shown: string): Promise<void> {
  await expect(async () => {
    if ((await middleOf(page, shown)) === null) await press(page, link)
    await expect.poll(() => middleOf(page, shown), { timeout: 2_000 }).not.toBeNull()
  }).toPass()
}

/** Clicks the card of a radio button or checkbox until it is checked: a page that is still loading may move. */
export async function choose(page: Page, field: string): Promise<void> {
  await expect(async () => {
    await press(page, `label:has(${field})`)
    expect(await page.$(`${field}:checked`)).not.toBeNull()
  }).toPass()
}

/** Types into a field and replaces its content. */
export async function fill(page: Page, selector: string, text: string): Promise<void> {
  await sees(page, selector)
  await page.$eval(selector, (field) => {
    if (field instanceof HTMLInputElement) field.select()
  })
  await page.type(selector, text)
}

/** Returns the text of the page. */
export function textOf(page: Page): Promise<string> {
  return page.evaluate(() => document.body.innerText)
}

/** Scrolls the first visible match to the middle of the viewport and returns its centre; null if there is none. */
async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number } | null> {
  // A page that is navigating cannot be evaluated.
  return page.evaluate(middleIn, selector).catch(() => null)
}

/** Runs in the page. */
function middleIn(selector: string): { x: number; y: number } | null {
  const visible = [...document.querySelectorAll(selector)].find((it) => it.checkVisibility())
  visible?.scrollIntoView({ block: "center", behavior: "instant" })
  const box = visible?.getBoundingClientRect()
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
}
