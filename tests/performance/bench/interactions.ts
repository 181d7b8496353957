import type { Browser, Page } from "puppeteer-core"
import type { TestServer } from "../../support/server/server-process"
import { launchChromium, PHONE, PHONE_SLOWDOWN } from "./chromium"
import { median } from "./statistics"

/** The usual phone, and one that is slower still. */
const slowdowns = [PHONE_SLOWDOWN, 6] as const
/** Milliseconds in which the browser reports an interaction after its next paint. */
const REPORTED_AFTER = 600
/** `PerformanceObserver` reports no shorter interaction. */
const SHORTEST = 16
const AIM = 100
/** The order's only part that opens: the summary itself is always open. */
const FOLD = 'details:has(input[name="promoCode"]) > summary'
const CODE = 'input[name="promoCode"]'

const interactions = {
  "choosing a plan": (page: Page) => tap(page, ".plan:nth-of-type(2) label, .plan:nth-of-type(2)"),
  "opening the fold of the code": (page: Page) => tap(page, FOLD),
  "applying a code": async (page: Page) => {
    await tap(page, CODE)
    await page.keyboard.type("WELCOME10")
    await forget(page)
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
  const browser = await launchChromium()
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
      await forget(page)
      await interactions[name](page)
      return longest(page)
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

/**
 * Runs in the page. Keeps the longest event since `forget`; an interaction is several events with one number. An event that
 * changes nothing visible lasts until a later interaction paints, so what began earlier does not count.
 */
function observe(durationThreshold: number): void {
  Object.assign(window, { longestInteraction: 0, observedFrom: 0 })
  const options = { type: "event", durationThreshold, buffered: true }
  new PerformanceObserver((list) => {
    const { longestInteraction, observedFrom } = window as unknown as {
      longestInteraction: number
      observedFrom: number
    }
    const durations = list
      .getEntries()
      .filter((it) => "interactionId" in it && it.interactionId !== 0 && it.startTime >= observedFrom)
      .map(({ duration }) => duration)
    Object.assign(window, { longestInteraction: Math.max(longestInteraction, ...durations) })
  }).observe(options)
}

/** What has happened on the page so far does not count any more. */
async function forget(page: Page): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER))
  await page.evaluate(() => {
    Object.assign(window, { longestInteraction: 0, observedFrom: performance.now() })
  })
}

/** The longest interaction since `forget` in milliseconds; the shortest that is reported if there was none longer. */
async function longest(page: Page): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER))
  const taken = await page.evaluate(() => Number(Reflect.get(window, "longestInteraction")))
  return Math.max(SHORTEST, taken)
}

async function tap(page: Page, selector: string): Promise<void> {
  const target = await page.$(selector)
  if (!target) throw new Error(`There is no ${selector} to tap on ${page.url()}`)
  await target.scrollIntoView()
  await target.tap()
}
