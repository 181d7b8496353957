import { setTimeout as pause } from "node:timers/promises"
import { Browser } from "./browser"
import type { HtmlPage } from "./html-page"
import { accessOn } from "./plain-purchase"

const GIVES_UP_AFTER = 90_000
const LOOKS_EVERY = 20

type Visited = { readonly url: string; readonly sandboxUrl: string }

/**
 * Buys the year's plan as somebody does whose connection breaks off again and again: takes the next step of the page
 * he is on, and when there is no answer comes back to the shop with the cookies he has. Ends with his access.
 */
export async function buyWhateverHappens(shop: Visited): Promise<HtmlPage> {
  const browser = new Browser()
  const start = () => browser.visit(`${shop.url}/checkout/waiting`)
  const deadline = Date.now() + GIVES_UP_AFTER
  let page: HtmlPage | null = null
  while (!page || !accessOn(page)) {
    if (Date.now() > deadline) throw new Error(`Nothing bought; last seen: ${page?.text.slice(0, 500)}`)
    const here: HtmlPage | null = page
    await pause(LOOKS_EVERY)
    page = await (here ? nextStep(here, shop) : start()).catch(noAnswer)
  }
  return page
}

function nextStep(page: HtmlPage, shop: Visited): Promise<HtmlPage> {
  if (page.url.origin === shop.sandboxUrl) return leaveGateway(page)
  const screen = page.url.pathname.split("/").at(-1)
  if (screen === "creatingOrder") return page.submit({ having: "draft" })
  if (screen === "waiting") return page.follow(new RegExp(`^${shop.sandboxUrl}`))
  if (screen === "success") return page.followRefresh()
  return page.submit({ button: { value: "pay" }, fields: { plan: "3", email: "ana@example.test" } })
}

/** A payment that was decided before the answer was lost has no button any more, but a way back. */
function leaveGateway(page: HtmlPage): Promise<HtmlPage> {
  const open = page.body.includes('value="paid"')
  return open ? page.submit({ button: { value: "paid" } }) : page.follow(/\/checkout\//)
}

/** Only a broken connection is no answer; a page without what a buyer needs is a failure. */
function noAnswer(error: unknown): null {
  if (error instanceof TypeError) return null
  throw error
}
