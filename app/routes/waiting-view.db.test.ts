import { afterEach, expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import type { Transfer } from "~/domain/coin"
import { openPayment } from "~/flows/payments/open-payment.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Mailer } from "~/mail/mailer"
import { buy, buyPlan, orderConnection } from "../../tests/fixtures/purchase"
import { respond } from "../../tests/fixtures/shop-router"
import { NOON, openTestShop, type TestShop, TOTAL } from "../../tests/fixtures/test-shop"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
const promises = { email: enEn.unpaid.email, comeBack: enEn.unpaid.comeBack }

const open = { expiresAt: NOON + HOUR, seen: "0", confirmations: null }

let shop: TestShop
afterEach(() => shop.billing.close())

/** What the waiting page of an unpaid order promises to who closes it. */
async function promised(): Promise<string[]> {
  const { order } = await buy(shop)
  const page = await pageOf(order.id)
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

test.each([
  ["USDT/tron", "TXyzAddressOfNobody", "no button, since its address is no link"],
  ["BTC/btc", "bitcoin:bc1qnobody?amount=0.00021", "a button"],
] as const)("the waiting page of a payment in %s to %s opens a wallet by %s", async (coin, uri, how) => {
  shop = await openTestShop()
  const orderId = await coinOrder(coin, { uri })
  const page = await pageOf(orderId)
  expect(page).toContain(uri)
  expect(page.includes(enEn.unpaid.wallet)).toBe(how === "a button")
})

test("the waiting page counts account credit among what pays the order", async () => {
  shop = await openTestShop()
  const overpaid = await buyPlan(shop, {}, TOTAL + 10_00)
  const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  const page = await pageOf(order.id)
  expect(page).toContain("€60.00 of your €88.90 has arrived.")
  expect(page).toContain("€28.90 is still missing")
})

test.each([
  ["has expired", "expired", enEn.unpaid.runOut, enEn.unpaid.runOutLead],
  ["failed", "failed", enEn.unpaid.failed, enEn.unpaid.failedLead],
] as const)("the waiting page of a payment that %s says so", async (_, status, heading, lead) => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await pageOf(order.id)).not.toContain(heading)
  shop.gateway.reports(status, 0)
  shop.wait(5 * SECOND)
  const page = await pageOf(order.id)
  expect(page).toContain(heading)
  expect(page).toContain(lead)
})

test("the waiting page of a payment whose end the gateway has named does not call it failed then", async () => {
  shop = await openTestShop()
  shop.gateway.lastsFor(HOUR)
  const { order } = await buy(shop)
  shop.wait(HOUR)
  expect(await pageOf(order.id)).toContain(enEn.unpaid.runOut)
})

test("the waiting page of extra connections names their service, by its username only to who may see it", async () => {
  shop = await openTestShop()
  const { serviceId } = await buyPlan(shop)
  const { username } = (await shop.services.billing.service(serviceId)) ?? { username: "none" }
  const { id: orderId } = await orderConnection(shop, serviceId)
  expect(await pageOf(orderId, [serviceId])).toContain(`Service: 12\u00a0months (${username})`)
  const another = await pageOf(orderId)
  expect(another).toContain('"Service: 12\u00a0months"')
  expect(another).not.toContain(username)
})

/** The data of an order's waiting page, for a session with these services. */
async function pageOf(orderId: string, serviceIds: readonly string[] = []): Promise<string> {
  const session = { orderId, serviceIds: [...serviceIds], sealedAt: shop.services.now() }
  return (await respond(shop.services, { path: "/waiting.data", session })).text()
}

/** An order with an on-site payment in this coin. */
async function coinOrder(coin: string, changes: Partial<Transfer> = {}): Promise<string> {
  const [currency = "", network = ""] = coin.split("/")
  const address = "TXyzAddressOfNobody"
  const transfer = {
    coin: { currency, network },
    amount: "13.41",
    address,
    uri: address,
    ...open,
    ...changes,
  }
  shop.gateway.takes([transfer.coin], transfer)
  const { order } = await buy(shop)
  await openPayment(shop.services, order, { gateway: "offshore", coin })
  return order.id
}
