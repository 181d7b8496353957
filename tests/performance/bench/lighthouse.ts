import lighthouse from "lighthouse"
import { type Browser, launch, type Page } from "puppeteer-core"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import type { TestServer } from "../../support/server/server-process"
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

type Visited = { readonly path: string; readonly cookie: string; readonly isPublic: boolean }

/** Runs Lighthouse's mobile profile on each page without interaction; each figure is the median of `runs`. */
export async function scorePages(
  shop: TestServer,
  pages: readonly Visited[],
  runs: number,
): Promise<Scored[]> {
  const browser = await launch({
    executablePath: findProgram("chromium") ?? "chromium",
    // Chromium's sandbox does not work as root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  })
  try {
    const scored: Scored[] = []
    for (const page of pages) scored.push(await scoredOf(browser, shop, page, runs))
    return scored
  } finally {
    await browser.close()
  }
}

async function scoredOf(browser: Browser, shop: TestServer, visited: Visited, runs: number): Promise<Scored> {
  const loads: Score[] = []
  for (let run = 0; run < runs; run++) loads.push(await scoreLoad(browser, shop, visited))
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
async function scoreLoad(browser: Browser, shop: TestServer, visited: Visited): Promise<Score> {
  const first = await inContext(browser, shop, visited)
  const again = first ?? (await inContext(browser, shop, visited))
  if (!again) throw new Error(`Lighthouse twice had no trace of ${visited.path}`)
  return again
}

/** Each run starts with an empty cache and only the cookies of its order. */
async function inContext(
  browser: Browser,
  shop: TestServer,
  { path, cookie, isPublic }: Visited,
): Promise<Score | null> {
  const context = await browser.createBrowserContext()
  try {
    const { hostname } = new URL(shop.url)
    for (const pair of cookie.split("; ").filter(Boolean)) {
      const [name = "", value = ""] = pair.split(/=(.*)/s)
      await context.setCookie({ name, value, domain: hostname, path: "/checkout" })
    }
    return await readOnce(await context.newPage(), `${shop.url}${path}`, isPublic)
  } finally {
    await context.close()
  }
}

/** Null: there was no trace to read. */
async function readOnce(page: Page, url: string, isPublic: boolean): Promise<Score | null> {
  const result = await lighthouse(url, { logLevel: "silent", output: "json" }, undefined, page)
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
