import { setTimeout as pause } from "node:timers/promises"
import { accessOn, chooseAndPay, goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import type { HtmlPage } from "../../support/html/html-page"
import type { TestServer } from "../../support/server/server-process"

const SETTLES_WITHIN = 10_000
const LOOKS_EVERY = 5

/** Returns the cookies of a session with an unpaid order, as a Cookie header. */
export async function waitingVisitor(shop: TestServer, headers: Record<string, string>): Promise<string> {
  const browser = new Browser(headers)
  const waiting = await payAt(await goToGateway(await chooseAndPay(browser, { shop })), "abandoned")
  if (waiting.url.pathname !== "/checkout/waiting") throw new Error(`The order waits at ${waiting.url}`)
  return browser.cookies(waiting.url) ?? ""
}

/** Returns the cookies of a session with a selection: its pages cannot be cached. */
export async function knownVisitor(shop: TestServer): Promise<string> {
  const browser = new Browser({})
  const page = await browser.visit(`${shop.url}/checkout/`)
  const chosen = await page.submit({
    button: { name: "intent", value: "update" },
    fields: { email: "known@example.test" },
  })
  return browser.cookies(chosen.url) ?? ""
}

/** Returns the cookies of a session that bought a plan and sees its credentials. */
export async function servedVisitor(shop: TestServer): Promise<string> {
  const browser = new Browser({})
  return browser.cookies((await buyPlan(browser, shop)).url) ?? ""
}

/** Makes a whole purchase by plain HTTP, from the first page to the credentials. */
export async function purchase(shop: TestServer, headers: Record<string, string>): Promise<void> {
  await buyPlan(new Browser(headers), shop)
}

async function buyPlan(browser: Browser, shop: TestServer): Promise<HtmlPage> {
  const gateway = await goToGateway(await chooseAndPay(browser, { shop }))
  let page = await payAt(gateway)
  const deadline = performance.now() + SETTLES_WITHIN
  while (!accessOn(page)) page = await lookAgain(page, deadline)
  return page
}

async function lookAgain(page: HtmlPage, deadline: number): Promise<HtmlPage> {
  if (performance.now() > deadline) throw new Error(`No access on ${page.url}: ${page.text.slice(0, 300)}`)
  await pause(LOOKS_EVERY)
  return page.followRefresh()
}
