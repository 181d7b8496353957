import { setTimeout as pause } from "node:timers/promises"
import type { Browser } from "./browser"
import type { HtmlPage } from "./html-page"
import { elements, readHtml, textOf } from "./html-tree"

/** A job that was being carried out when the power went is taken up again after 15 seconds. */
const SETTLES_WITHIN = 30_000
const LOOKS_EVERY = 100

type Wish = { shop: { readonly url: string }; prefix?: string; plan?: string; email?: string }

/** Fills in the checkout and presses "pay"; ends on the review step. */
export async function chooseAndPay(browser: Browser, wish: Wish): Promise<HtmlPage> {
  const { shop, prefix = "", plan = "3", email = "ana@example.test" } = wish
  const checkout = await browser.visit(`${shop.url}/checkout${prefix || "/"}`)
  return checkout.submit({ button: { value: "pay" }, fields: { plan, email } })
}

/** Presses the button of the review step; ends on the gateway's page when all is well. */
export function goToGateway(review: HtmlPage): Promise<HtmlPage> {
  return review.submit({ having: "draft" })
}

/** Chooses what becomes of the payment; ends where the gateway sends the buyer. */
export function payAt(gateway: HtmlPage, outcome = "paid"): Promise<HtmlPage> {
  return gateway.submit({ button: { name: "outcome", value: outcome } })
}

/** Stays on a page, as somebody who waits does, until it shows credentials. Throws when they do not come. */
export async function waitForAccess(page: HtmlPage): Promise<HtmlPage> {
  const deadline = Date.now() + SETTLES_WITHIN
  let shown = page
  while (!accessOn(shown)) {
    if (Date.now() > deadline) throw new Error(`No access on ${shown.url}: ${shown.text.slice(0, 500)}`)
    await pause(LOOKS_EVERY)
    shown = await shown.followRefresh()
  }
  return shown
}

type Access = { username: string; password: string; host: string }

/** The credentials a page shows; null when it shows none. */
export function accessOn({ body, url }: HtmlPage): Access | null {
  if (!url.pathname.endsWith("/success")) return null
  const shown = elements(readHtml(body), ({ tagName }) => tagName === "code").map(textOf)
  const username = shown.find((it) => /^TV[0-9A-Z]{8}$/.test(it))
  const password = shown.find((it) => /^\d{10}$/.test(it))
  const host = shown.find((it) => /^https?:/.test(it))
  return username && password && host ? { username, password, host } : null
}
