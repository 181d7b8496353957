import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import type { LocaleCode } from "~/domain/locales"
import { refuseOrder } from "~/flows/checkout/held-order.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { buy } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

const address = "203.0.113.9"
let shop: TestShop
let orderId: string
beforeEach(async () => {
  shop = await openTestShop()
  await shop.billing.operator.block({ kind: "address", value: address, reason: null, at: 0 })
  orderId = (await buy(shop, { address })).order.id
})
afterEach(() => shop.billing.close())

async function page(path: string, mailsOrders = true): Promise<string> {
  const services = { ...shop.services, shop: { ...shop.services.shop, mailsOrders } }
  const session = { ...emptySession, id: "s1", sealedAt: services.now(), choices: choice, orderId }
  return (await respond(services, { path, session })).text()
}

test.each(["en-en", "es-es", "pt-pt", "de-de", "nl-nl"] satisfies LocaleCode[])(
  "the page of an order on hold says that a message comes, or that the buyer may come back (%s)",
  async (locale) => {
    const t = screenTexts(locale)
    const path = `${locale === "en-en" ? "" : `/${locale}`}/creatingOrder.data`
    expect(await page(path)).toContain(t("notice.heldByMail"))
    const withoutMail = await page(path, false)
    expect(withoutMail).toContain(t("unpaid.comeBack"))
    expect(withoutMail).not.toContain(t("notice.heldByMail"))
  },
)

test("the page of an order that is refused promises no message", async () => {
  await refuseOrder(shop.services, orderId, "operator")
  const refused = await page("/creatingOrder.data")
  expect(refused).toContain("fraud")
  expect(refused).not.toContain(screenTexts("en-en")("notice.heldByMail"))
})
