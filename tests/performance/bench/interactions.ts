import { type Browser, launch, type Page } from "puppeteer-core"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import type { TestServer } from "../../support/server/server-process"
import { median } from "./statistics"

/** The processor of Lighthouse's mobile profile, and one that is slower still. */
const slowdowns = [4, 6] as const
const PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
/** Milliseconds in which the browser tells of an interaction after its next paint. */
const TOLD_AFTER = 600
/** `PerformanceObserver` tells of no shorter interaction. */
const SHORTEST = 16
const AIM = 100
/** The order's only part that opens: the summary itself is always open. */
const FOLD = 'details:has(input[name="promoCode"]) > summary'

const interactions = {
  "choosing a plan": (page: Page) => tap(page, ".plan:nth-of-type(2) label, .plan:nth-of-type(2)"),
  "opening the fold of the code": (page: Page) => tap(page, FOLD),
  "applying a code": async (page: Page) => {
    await page.type('input[name="promoCode"]', "WELCOME10")
    await told(page)
    await tap(page, 'button[value="apply-promo"]')
  },
} as const
type Interaction = keyof typeof interactions
const names = Object.keys(interactions) as readonly Interaction[]

export type Interactions = {
  readonly lines: readonly string[]
  /** Milliseconds: the slowest of the medians with Lighthouse's slowdown. */
  readonly interaction: number
}

/**
 * Measures on the checkout, with a processor that the browser really slows down, the time from a tap to the next paint. Each
 * load starts with an empty cache and waits until the page is idle.
 */
export async function measureInteractions(shop: TestServer, loads: number): Promise<Interactions> {
  const browser = await launch({
    executablePath: findProgram("chromium") ?? "chromium",
    // Chromium's sandbox does not work as root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  })
  try {
    const [usual, slower] = slowdowns
    const phone = await measureLoads(browser, shop, { slowdown: usual, loads })
    const old = await measureLoads(browser, shop, { slowdown: slower, loads })
    const lines = [...linesOf(usual, phone), ...linesOf(slower, old)]
    return { lines, interaction: Math.max(...names.map((name) => median(timesOf(name, phone)))) }
  } finally {
    await browser.close()
  }
}

type Taken = Readonly<Record<Interaction, number>>

async function measureLoads(
  browser: Browser,
  shop: TestServer,
  { slowdown, loads }: { slowdown: number; loads: number },
): Promise<Taken[]> {
  const taken: Taken[] = []
  for (let load = 0; load < loads; load++) taken.push(await measureLoad(browser, shop, slowdown))
  return taken
}

function timesOf(name: Interaction, taken: readonly Taken[]): number[] {
  return taken.map((it) => it[name])
}

function linesOf(slowdown: number, taken: readonly Taken[]): string[] {
  return names.map((name) => lineOf(name, slowdown, timesOf(name, taken)))
}

function lineOf(name: Interaction, slowdown: number, taken: readonly number[]): string {
  const middle = median(taken)
  const verdict = middle <= AIM ? "  reached" : "  MISSED "
  return `${verdict}  ${name}, processor ${slowdown} times slower, of ${taken.length} loads: median ${middle.toFixed(0)} ms, worst ${Math.max(...taken).toFixed(0)}, aim ${AIM} or less`
}

async function measureLoad(browser: Browser, shop: TestServer, slowdown: number) {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    await page.setViewport(PHONE)
    await page.emulateCPUThrottling(slowdown)
    await page.evaluateOnNewDocument(observe, SHORTEST)
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle0" })
    const of = async (name: Interaction) => {
      await told(page)
      await interactions[name](page)
      return told(page)
    }
    return {
      "choosing a plan": await of("choosing a plan"),
      "opening the fold of the code": await of("opening the fold of the code"),
      "applying a code": await of("applying a code"),
    }
  } finally {
    await context.close()
  }
}

/** Runs in the page. Keeps the longest event since the last look; an interaction is several events with one number. */
function observe(durationThreshold: number): void {
  Object.assign(window, { longestInteraction: 0 })
  const options = { type: "event", durationThreshold, buffered: true }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ("interactionId" in entry && entry.interactionId !== 0)
        Object.assign(window, {
          longestInteraction: Math.max(entry.duration, Reflect.get(window, "longestInteraction")),
        })
  }).observe(options)
}

/** The longest interaction since the last call in milliseconds; the shortest that is told if there was none longer. */
async function told(page: Page): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, TOLD_AFTER))
  const longest = await page.evaluate(() => {
    const taken = Number(Reflect.get(window, "longestInteraction"))
    Object.assign(window, { longestInteraction: 0 })
    return taken
  })
  return Math.max(SHORTEST, longest)
}

async function tap(page: Page, selector: string): Promise<void> {
  const target = await page.$(selector)
  if (!target) throw new Error(`There is no ${selector} to tap on ${page.url()}`)
  await target.scrollIntoView()
  await target.tap()
}
