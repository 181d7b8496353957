import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import { pricedFor } from "~/flows/checkout/priced-for.server"
import type { Mailer } from "~/mail/mailer"
import { announceToAll } from "../../../tests/fixtures/announce-to-all"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../tests/fixtures/shop-on-engine"
import { germanNetPrices } from "../../../tests/fixtures/tax-rules"
import { NOON } from "../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../tests/fixtures/vat-numbers"
import { renewFromBalances } from "./renew-from-balance.server"
import { showUpsell } from "./show-upsell.server"

const french: BuyerPlace = {
  named: "FR",
  located: "FR",
  business: {
    company: "Lumière SARL",
    address: ["1 rue de la Paix", "75002 Paris"],
    taxNumber: FRENCH,
    check: { result: "valid", at: NOON, requestId: null },
  },
}
/** A browser with the service, which is not signed in to the account of the business. */
const german: BuyerPlace = { named: null, located: "DE" }

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 ok" }) }

let opened: ShopOnEngine
let business: TestBuyer
let elsewhere: TestBuyer
beforeEach(async () => {
  opened = await openShopOn("SQLite", { tax: germanNetPrices, mailer })
  await importOddPrices(opened.database, { renewalPrice: "current" })
  const { shop } = opened
  business = buyerIn(shop, { email: "lumiere@example.test", buyer: french })
  const services = pricedFor(shop.services, async () => german)
  elsewhere = buyerIn({ ...shop, services }, { email: "elsewhere@example.test", buyer: german })
})
afterEach(() => opened.close())

/** In minor units, without tax. */
const expected = async (order: Promise<Order>, minor: number) => {
  const { total, tax } = await order
  expect([total.minor, tax?.place.kind, tax?.place.country]).toEqual([minor, "reverse-charge", "FR"])
}

test("a business pays the catalogue's prices without tax for its service, wherever they are read from", async () => {
  const service = await business.service()
  for (const it of [business, elsewhere]) {
    await expected(it.connections(service, 3), 3 * 203)
    await expected(it.renewal(service), 1_001)
    const offer = await showUpsell(it.services, [service], { serviceId: null, quantity: 1, locale: "en-en" })
    expect(offer?.services).toMatchObject([{ unit: { minor: 203 } }])
  }
  opened.shop.wait(10 * DAY)
  const credit = 667
  for (const it of [business, elsewhere]) await expected(it.planOf(service, "3"), 7_999 - credit)
})

test("a business whose account is of another country pays a new price of its plan as announced, without tax", async () => {
  const { cycle, ...service } = await business.service()
  if (cycle === null) throw new Error("no cycle")
  await opened.database.db.updateTable("clients").set({ country: "DE" }).execute()
  const { billing, services } = opened.shop
  const of = { productId: service.productId, cycle }
  const from = services.now() + 40 * DAY
  const move = { services: of, price: money(1_501, "EUR"), from, reason: "dearer channels" }
  expect(await announceToAll(billing.priceMoves, move, services.now())).toMatchObject({ services: 1 })
  const announced = (await billing.billing.renewalTerms(service.id))?.announced
  // With the French tax, which is taken off again: with the German one 1,488 would be left of it.
  expect(announced?.price).toEqual(money(1_801, "EUR"))
})

test.each([
  // 15.01 with the German tax of the account is 17.86, less the French tax that a consumer there would pay in it.
  ["what a French consumer of that price leaves", false, 1_488],
  ["the price without tax once it was announced again", true, 1_501],
])(
  "a German who becomes a French business after an announcement pays %s",
  async (_, isAnnouncedAgain, unit) => {
    const { shop, database } = opened
    const services = pricedFor(shop.services, async () => german)
    const consumer = buyerIn({ ...shop, services }, { email: "anna@example.test", buyer: german })
    const { id, cycle, productId, customerId } = await consumer.service()
    if (cycle === null) throw new Error("no cycle")
    await database.db.updateTable("clients").set({ country: "DE" }).execute()
    const { billing, priceMoves } = shop.billing
    const from = services.now() + 40 * DAY
    const move = {
      services: { productId, cycle },
      price: money(1_501, "EUR"),
      from,
      reason: "dearer channels",
    }
    await announceToAll(priceMoves, move, services.now())
    await billing.setBusiness(customerId, french.business ?? null)
    if (isAnnouncedAgain) await announceToAll(priceMoves, move, services.now())
    shop.wait(41 * DAY)
    const service = await billing.service(id)
    const candidates = service ? [service] : []
    const renewals = await priceRenewals(shop.services, billing, { candidates, buyer: french })
    expect(renewals).toMatchObject([{ unit: { minor: unit } }])
  },
)

test("a business whose account is of another country is renewed from account credit at the price without tax", async () => {
  const service = await business.service()
  const order = await business.connections(service, 1)
  await business.pay(order, 203 + 5_000)
  const { db } = opened.database
  await db.updateTable("clients").set({ country: "DE" }).execute()
  const { billing, services } = opened.shop
  await billing.billing.setBalanceRenewal(service.id, true, services.now())
  opened.shop.wait((service.paidUntil ?? 0) + MINUTE - services.now())
  await renewFromBalances(business.services, "an instance")
  const left = await services.payments.accountCredit(service.customerId, "EUR")
  expect(left.minor).toBe(5_000 - 1_001 - 203)
})
