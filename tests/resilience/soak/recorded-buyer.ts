import { type Access, accessOn, orderOn } from "../../fixtures/no-script-purchase"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import { Browser } from "../../support/browser/no-script-browser"
import type { HtmlPage } from "../../support/html/html-page"
import type { BuyerHistory } from "./history"

const MAX_WAIT = 120_000

type Visited = { readonly url: string; readonly sandboxUrl: string }

/** A buyer whose pages are recorded. No step rejects: a purchase that fails is part of the history. */
export type RecordedBuyer = {
  buy(): Promise<void>
  /** Opens the page of the service again. */
  lookAgain(): Promise<void>
  history(): BuyerHistory
}

/** Returns a buyer who has not bought yet. */
export function recordBuyer(shop: Visited, email: string): RecordedBuyer {
  const browser = new Browser()
  const orders = new Set<string>()
  const access: Access[] = []
  let failure: string | null = null

  const shown = (page: HtmlPage) => {
    const order = page.url.origin === shop.url ? orderOn(page) : null
    if (order) orders.add(order)
    const onPage = accessOn(page)
    if (onPage) access.push(onPage)
  }
  const recorded = async (step: () => Promise<unknown>) => {
    try {
      await step()
    } catch (error) {
      failure ??= error instanceof Error ? error.message : String(error)
    }
  }

  return {
    buy: () => recorded(() => buyWithRetries(shop, { browser, email, maxWait: MAX_WAIT, shown })),
    lookAgain: () =>
      recorded(async () => {
        const page = await browser.visit(`${shop.url}/checkout/success`)
        shown(page)
        if (!accessOn(page)) throw new Error(`No credentials on a later visit: ${page.text.slice(0, 500)}`)
      }),
    history: () => ({ email, orders: [...orders], access, failure }),
  }
}
