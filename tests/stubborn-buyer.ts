import { setTimeout as pause } from "node:timers/promises"
import { Browser } from "./browser"
import type { HtmlPage } from "./html-page"
import { accessOn } from "./plain-purchase"

const SECOND = 1_000
const GIVES_UP_AFTER = 90 * SECOND
const LOOKS_EVERY = 20

type Visited = { readonly url: string; readonly sandboxUrl: string }

/** `refused` and `lost` are told of each answer that was a 503, and of each that did not come. `patience`: in milliseconds. */
type Buyer = {
  patience?: number
  email?: string
  headers?: Readonly<Record<string, string>>
  refused?: () => void
  lost?: () => void
}

type Trip = Required<Omit<Buyer, "headers" | "patience">> & { shop: Visited }

/**
 * Buys the year's plan as somebody does whose connection breaks off again and again: takes the next step of the page
 * he is on, and when there is no answer, or one that asks him to come later, comes back to the shop with the cookies he
 * has. Ends with his access.
 */
export async function buyWhateverHappens(shop: Visited, buyer: Buyer = {}): Promise<HtmlPage> {
  const browser = new Browser(buyer.headers)
  const { email = "ana@example.test", refused = () => {}, lost = () => {} } = buyer
  const trip = { shop, email, refused, lost }
  const start = () => browser.visit(`${shop.url}/checkout/waiting`)
  const deadline = Date.now() + (buyer.patience ?? GIVES_UP_AFTER)
  let page: HtmlPage | null = null
  while (!page || !accessOn(page)) {
    if (Date.now() > deadline) throw new Error(`Nothing bought; last seen: ${page?.text.slice(0, 500)}`)
    const here: HtmlPage | null = page
    await pause(LOOKS_EVERY)
    page = await arrived(here ? nextStep(here, trip) : start(), trip)
  }
  return page
}

/** The next page; null when the buyer has to begin again. */
async function arrived(step: Promise<HtmlPage>, { refused, lost }: Trip): Promise<HtmlPage | null> {
  const page = await step.catch(noAnswer)
  if (!page) lost()
  // A neighbour is away: he comes back.
  if (!page || page.status < 500) return page
  if (page.status !== 503) return null
  refused()
  await pause(Number(page.headers.get("retry-after") ?? 1) * SECOND)
  return null
}

function nextStep(page: HtmlPage, { shop, email }: Trip): Promise<HtmlPage> {
  if (page.url.origin === shop.sandboxUrl) return leaveGateway(page)
  const screen = page.url.pathname.split("/").at(-1)
  if (screen === "creatingOrder") return page.submit({ having: "draft" })
  if (screen === "waiting") return payFrom(page, shop)
  if (screen === "success") return page.followRefresh()
  return page.submit({ button: { value: "pay" }, fields: { plan: "3", email } })
}

/** A payment that did not go through is opened anew. */
function payFrom(waiting: HtmlPage, { sandboxUrl }: Visited): Promise<HtmlPage> {
  const failed = waiting.body.includes('value="retry"')
  return failed
    ? waiting.submit({ button: { value: "retry" } })
    : waiting.follow(new RegExp(`^${sandboxUrl}`))
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
