import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { DAY } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"
import { refuseOrder, releaseOrder } from "~/flows/checkout/held-order.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy, buyPlan, pay } from "../../../tests/fixtures/purchase"
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

const see = "See the order"

test("the checkout leads back to an order on hold until it is decided", async () => {
  expect(await page("/_root.data")).toContain("We’re still checking your last order.")
  expect(await page("/de-de.data")).toContain("/checkout/de-de/creatingOrder")
  await refuseOrder(shop.services, orderId, "operator")
  expect(await page("/_root.data")).not.toContain(see)
})

test("the checkout leads back to an order that was released at another price", async () => {
  const file = await shop.billing.operator.exportCatalogue()
  const products = file.products.map((it) => ({ ...it, pricing: { EUR: { annually: 99_00 } } }))
  await shop.billing.operator.importCatalogue({ ...file, products })
  await releaseOrder(shop.services, orderId, "operator")
  expect(await page("/_root.data")).toContain("you can go on with it")
})

test("the checkout leads back to an expired order as long as a part of its total is recorded with it", async () => {
  const { order } = await buy(shop, { key: "draft-2" })
  orderId = order.id
  await pay(shop, order, 1_00)
  shop.wait(DAY + 1)
  await sweep(shop.services, "test")
  expect(await page("/_root.data")).toContain("with a part of it paid")
  shop.wait(8 * DAY)
  await sweep(shop.services, "test")
  expect(await page("/_root.data")).not.toContain(see)
})

test("a copy of the cookie of a browser that has been forgotten reads nothing of its order", async () => {
  Object.assign(shop.services, { sessions: { ...shop.billing.sessions, isEnded: async () => true } })
  expect(await page("/_root.data")).not.toContain(see)
})

test("whoever has bought since does not read that there is no order in this browser", async () => {
  const { elsewhere } = enEn.notice
  const { id } = await buyPlan(shop)
  const session = { ...emptySession, id: "s1", sealedAt: shop.services.now(), choices: choice }
  const read = async (orderId: string | null) =>
    (await respond(shop.services, { path: "/_root.data?elsewhere", session: { ...session, orderId } })).text()
  expect(await read(null)).toContain(elsewhere)
  expect(await read(id)).not.toContain(elsewhere)
})
