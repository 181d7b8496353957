import { afterEach, expect, test } from "vitest"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Mailer } from "~/mail/mailer"
import { buy, buyPlan, orderConnection } from "../../tests/fixtures/purchase"
import { respond } from "../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
const promises = { email: enEn.unpaid.email, comeBack: enEn.unpaid.comeBack }

let shop: TestShop
afterEach(() => shop.billing.close())

/** What the waiting page of an unpaid order promises to who closes it. */
async function promised(): Promise<string[]> {
  const { order } = await buy(shop)
  const session = { orderId: order.id, sealedAt: shop.services.now() }
  const page = await (await respond(shop.services, { path: "/waiting.data", session })).text()
  return Object.entries(promises).flatMap(([name, text]) => (page.includes(text) ? [name] : []))
}

test("the waiting page promises an email where a mail server is set", async () => {
  shop = await openTestShop({ mailer })
  expect(await promised()).toEqual(["email"])
})

test("the waiting page promises no email without a mail server", async () => {
  shop = await openTestShop()
  expect(await promised()).toEqual(["comeBack"])
})

test("the waiting page promises no email to an address that mail comes back from", async () => {
  shop = await openTestShop({ mailer })
  const { order } = await buy(shop)
  const { mails, now } = shop.services
  await mails.suppress({ email: order.email, scope: "all", reason: "bounce", at: now() })
  expect(await promised()).toEqual(["comeBack"])
})

test("the waiting page of extra connections names their service, by its username only to who may see it", async () => {
  shop = await openTestShop()
  const { serviceId } = await buyPlan(shop)
  const { username } = (await shop.services.billing.service(serviceId)) ?? { username: "none" }
  const { id: orderId } = await orderConnection(shop, serviceId)
  const pageOf = async (serviceIds: readonly string[]) => {
    const session = { orderId, serviceIds: [...serviceIds], sealedAt: shop.services.now() }
    return (await respond(shop.services, { path: "/waiting.data", session })).text()
  }
  expect(await pageOf([serviceId])).toContain(`Service: 12\u00a0months (${username})`)
  const another = await pageOf([])
  expect(another).toContain('"Service: 12\u00a0months"')
  expect(another).not.toContain(username)
})
