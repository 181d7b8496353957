import lighthouse from "lighthouse"
import type { Browser, Page } from "puppeteer-core"
import type { TestServer } from "../../support/server/server-process"
import { launchChromium, pageBefore, type Visited } from "./chromium"
import { median } from "./statistics"

/** Results of a page with Lighthouse's mobile profile: scores from 0 to 100 and cumulative layout shift. */
export type Score = {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  /** Null for pages with noindex. */
  readonly seo: number | null
  readonly layoutShift: number
  /** Largest contentful paint in seconds, and total blocking time in milliseconds. */
  readonly paint: number
  readonly blocked: number
  readonly requests: number
}

/** `score`: the median of each figure of the loads. */
export type Scored = { readonly path: string; readonly score: Score; readonly loads: readonly Score[] }

/**
 * `isSlowed`: the blocking time is that of another load, whose processor and network Chromium really slows down; otherwise Lighthouse
 * reckons it from a fast load.
 */
export type Loads = { readonly runs: number; readonly isSlowed: boolean }

type Throttling = "simulate" | "devtools"

/** Runs Lighthouse's mobile profile on each page without interaction; each figure is the median of the loads. */
export async function scorePages(
  shop: TestServer,
  pages: readonly Visited[],
  loads: Loads,
): Promise<Scored[]> {
  const browser = await launchChromium()
  try {
    const scored: Scored[] = []
    for (const page of pages) scored.push(await scoredOf(browser, shop, page, loads))
    return scored
  } finally {
    await browser.close()
  }
}

async function scoredOf(
  browser: Browser,
  shop: TestServer,
  visited: Visited,
  { runs, isSlowed }: Loads,
): Promise<Scored> {
  const loads: Score[] = []
  for (let run = 0; run < runs; run++) {
    const load = await scoreLoad(browser, shop, visited, "simulate")
    const slowed = isSlowed ? await scoreLoad(browser, shop, visited, "devtools") : load
    loads.push({ ...load, blocked: slowed.blocked })
  }
  const middle = (of: (score: Score) => number) => median(loads.map(of))
  const score = {
    performance: middle((it) => it.performance),
    accessibility: middle((it) => it.accessibility),
    bestPractices: middle((it) => it.bestPractices),
    seo: visited.isPublic ? middle((it) => it.seo ?? 0) : null,
    layoutShift: middle((it) => it.layoutShift),
    paint: middle((it) => it.paint),
    blocked: middle((it) => it.blocked),
    requests: middle((it) => it.requests),
  }
  return { path: visited.path, score, loads }
}

/** Chromium now and then starts no trace; Lighthouse says so and asks to be run again. */
async function scoreLoad(
  browser: Browser,
  shop: TestServer,
  visited: Visited,
  throttling: Throttling,
): Promise<Score> {
  const first = await inContext(browser, shop, visited, throttling)
  const again = first ?? (await inContext(browser, shop, visited, throttling))
  if (!again) throw new Error(`Lighthouse twice had no trace of ${visited.path}`)
  return again
}

async function inContext(
  browser: Browser,
  shop: TestServer,
  visited: Visited,
  throttling: Throttling,
): Promise<Score | null> {
  const context = await browser.createBrowserContext()
  try {
    const page = await pageBefore(context, shop.url, visited)
    return await readOnce(page, `${shop.url}${visited.path}`, { isPublic: visited.isPublic, throttling })
  } finally {
    await context.close()
  }
}

/** Null: there was no trace to read. */
async function readOnce(
  page: Page,
  url: string,
  { isPublic, throttling: throttlingMethod }: { isPublic: boolean; throttling: Throttling },
): Promise<Score | null> {
  const flags = {
    logLevel: "silent",
    output: "json",
    throttlingMethod,
    disableStorageReset: !isPublic,
  } as const
  const result = await lighthouse(url, flags, undefined, page)
  if (!result) throw new Error(`Lighthouse has nothing to say of ${url}`)
  const { categories, audits, finalDisplayedUrl, runtimeError } = result.lhr
  if (runtimeError?.code === "NO_NAVSTART") return null
  if (runtimeError) throw new Error(`Lighthouse on ${url}: ${runtimeError.message}`)
  if (finalDisplayedUrl !== url) throw new Error(`${url} led Lighthouse to ${finalDisplayedUrl}`)
  const number = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  const requests = audits["network-requests"]?.details
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    seo: isPublic ? score("seo") : null,
    layoutShift: number("cumulative-layout-shift"),
    paint: number("largest-contentful-paint") / 1_000,
    blocked: number("total-blocking-time"),
    requests: requests?.type === "table" ? requests.items.length : Number.NaN,
  }
}
