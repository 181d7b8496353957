import { expect } from "playwright/test"
import type { Browser } from "./browser"
import type { HtmlPage } from "./html-page"
import { goToGateway, payAt } from "./plain-purchase"

type Newcomer = { readonly shop: { readonly url: string }; readonly email: string; readonly password: string }

/** Signs up as a reseller and pays a plan; ends on the page of the account. */
export async function becomeReseller(browser: Browser, who: Newcomer): Promise<HtmlPage> {
  const { shop, email, password } = who
  const form = await browser.visit(`${shop.url}/checkout/resellers`)
  const fields = { existing: "no", email, newPassword: password, confirmPassword: password }
  const review = await form.submit({ button: { value: "pay" }, fields })
  let page = await payAt(await goToGateway(review))
  await expect(async () => {
    page = await browser.visit(`${shop.url}/checkout/resellers/success`)
    expect(page.field("notes")).toBe("")
  }).toPass()
  return page
}
