import type { Browser, Page } from "puppeteer-core"
import { openSlowLink, type SlowLink, slow4G } from "../../support/http/slow-link"
import type { TestServer } from "../../support/server/server-process"
import { launchChromium, PHONE, PHONE_SLOWDOWN, pageBefore, type Visited } from "./chromium"
import { median } from "./statistics"

/** Seconds. */
const AIM = 0.8
/** Milliseconds in which the browser reports a paint. */
const REPORTED_AFTER = 600

/** `paints`: seconds until the largest contentful paint, of each load. */
export type Painted = { readonly path: string; readonly paints: readonly number[] }

/**
 * Measures when a page's largest part is really painted, behind a link with round trips, a rate and TCP's slow start, on a
 * processor that the browser really slows down. Lighthouse reckons with the whole page instead, of which a phone has the first
 * ten segments a round trip earlier.
 */
export async function measureFirstPaint(
  shop: TestServer,
  pages: readonly Visited[],
  loads: number,
): Promise<Painted[]> {
  const browser = await launchChromium()
  const link = await openSlowLink(shop.url, slow4G)
  try {
    const painted: Painted[] = []
    for (const page of pages) {
      const paints: number[] = []
      for (let load = 0; load < loads; load++) paints.push(await paintOf(browser, link, page))
      painted.push({ path: page.path, paints })
    }
    return painted
  } finally {
    await browser.close()
    await link.close()
  }
}

export function paintLines(painted: readonly Painted[]): string[] {
  const { roundTrip, rate } = slow4G
  const how = `round trip ${roundTrip} ms, ${rate} kB/s, slow start, processor ${PHONE_SLOWDOWN} times slower`
  return [`Largest paint: ${how}`, ...painted.map(lineOf)]
}

function lineOf({ path, paints }: Painted): string {
  const middle = median(paints)
  const [least, most] = [Math.min(...paints), Math.max(...paints)].map((it) => it.toFixed(2))
  const verdict = middle <= AIM ? "  reached" : "  MISSED "
  return `${verdict}  ${path}, of ${paints.length} loads: median ${middle.toFixed(2)} s, ${least} to ${most}, aim ${AIM} or less`
}

async function paintOf(browser: Browser, link: SlowLink, visited: Visited): Promise<number> {
  const context = await browser.createBrowserContext()
  try {
    const page = await pageBefore(context, link.url, visited)
    await page.setViewport(PHONE)
    await page.emulateCPUThrottling(PHONE_SLOWDOWN)
    await page.evaluateOnNewDocument(observePaint)
    // Comes from another site, such as the gateway: the page before would connect again.
    await page.goto("about:blank")
    link.disconnect()
    await page.goto(`${link.url}${visited.path}`, { waitUntil: "networkidle0" })
    return await largestPaint(page)
  } finally {
    await context.close()
  }
}

/** Runs in the page. */
function observePaint(): void {
  new PerformanceObserver((list) => {
    Object.assign(window, { largestPaint: list.getEntries().at(-1)?.startTime })
  }).observe({ type: "largest-contentful-paint", buffered: true })
}

async function largestPaint(page: Page): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER))
  const milliseconds = await page.evaluate(() => Number(Reflect.get(window, "largestPaint")))
  if (!(milliseconds > 0)) throw new Error(`Chromium reported no paint of ${page.url()}`)
  return milliseconds / 1_000
}
