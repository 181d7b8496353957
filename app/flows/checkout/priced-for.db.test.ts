import { expect, test } from "vitest"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { extraOf, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { money } from "~/domain/money/money"
import { taxTotal } from "~/domain/orders/order-tax"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { changePlan, chooseNextPlan, planChoices } from "~/flows/services/change-plan.server"
import { renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { announceToAll } from "../../../tests/fixtures/announce-to-all"
import { openApiShop } from "../../../tests/fixtures/api-client"
import { buy, buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { germanNetPrices } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { requote } from "./held-order.server"
import { priceRenewals } from "./price-renewal.server"
import { pricedFor } from "./priced-for.server"

const buyer = { named: null, located: "DE" }
const pricing = { country: "DE", currency: "EUR", buyer } as const
const GROSS = 9_401 + 2_368

/** The shop as a German buyer's pages see it. */
const forBuyer = (shop: TestShop): TestShop => ({
  ...shop,
  services: pricedFor(shop.services, async () => buyer),
})

test("a shop whose catalogue contains the tax is priced as it is", async () => {
  const { services } = await openTestShop()
  expect(pricedFor(services, async () => buyer)).toBe(services)
})

test("an order on hold is quoted again for the country of its own buyer, wherever the reader is", async () => {
  const shop = await openTestShop({ tax: germanNetPrices })
  const { order } = await buy(forBuyer(shop), { pricing, agreedTotal: GROSS })
  expect(order.total.minor).toBe(GROSS)
  const reader = pricedFor(shop.services, async () => ({ named: "AT", located: "AT" }))
  for (const services of [shop.services, reader])
    expect((await requote(services, order))?.quote.total.minor).toBe(GROSS)
})

test.each(["kept", "current"] as const)(
  "a renewal from account credit of a product with the %s price costs the price with tax",
  async (renewalPrice) => {
    const shop = await openTestShop({ tax: germanNetPrices })
    const { products, ...rest } = await shop.billing.operator.exportCatalogue()
    await shop.billing.operator.importCatalogue({
      ...rest,
      products: products.map((it) => ({ ...it, renewalPrice })),
    })
    const { order } = await buy(forBuyer(shop), { pricing, agreedTotal: GROSS })
    shop.gateway.reports("paid", 3 * GROSS)
    shop.wait(3 * SECOND)
    await pollOrderPayment(shop.services, order.id)
    shop.gateway.reports("pending", 0)
    await runJobs(shop.services)
    const service = await shop.services.billing.service(order.serviceId)
    if (!service?.paidUntil) throw new Error("no term")
    await shop.services.billing.setBalanceRenewal(service.id, true, shop.services.now())
    shop.wait(service.paidUntil + MINUTE - shop.services.now())
    await renewFromBalances(shop.services, "an instance")
    const credit = await shop.services.payments.accountCredit(order.customerId, "EUR")
    expect(credit.minor).toBe(GROSS)
  },
)

test("a connection that is bought for a service costs the price with tax", async () => {
  const shop = forBuyer(await openTestShop({ tax: germanNetPrices }))
  const plan = await buyPlan(shop, { pricing, agreedTotal: GROSS })
  expect((await orderConnection(shop, plan.serviceId)).total.minor).toBe(2_368)
})

test("a change of plan costs the new price with tax, less what was paid with tax for the unused time", async () => {
  const shop = forBuyer(await openTestShop({ tax: germanNetPrices }))
  const month = { ...choice, plan: "1", extraConnection: false }
  const plan = await buyPlan(shop, { choices: month, pricing, agreedTotal: 1_428 })
  shop.wait(10 * DAY)
  const { services } = shop
  const at = services.now()
  const service = await services.billing.service(plan.serviceId)
  const choices = service && (await planChoices(services, services.billing, { service, at }))
  const change = choices?.changes.find(({ productId }) => productId === "3")
  if (!service || change?.when !== "now") throw new Error("A year is more than the rest of a month")
  expect([choices?.present.price.minor, change.price.minor]).toEqual([1_428, 9_401])
  const placement = await changePlan(services, {
    service,
    shown: { productId: "3", cycle: "annually", price: 9_401, at, due: change.due.minor },
    customer: null,
    orderId: null,
    key: "change-1",
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "DE",
    buyer,
    browser: null,
  })
  if (placement.kind !== "placed") throw new Error(placement.reason)
  const { lines, total, tax } = placement.order
  const unused = lines.find(({ kind }) => kind === "unusedTime")?.amount.minor ?? 0
  // Twenty of about thirty days.
  expect(unused).toBeLessThan(-900)
  expect(unused).toBeGreaterThan(-1_000)
  expect(total.minor).toBe(9_401 + unused)
  expect(tax && taxTotal(tax)).toMatchObject({
    gross: total.minor,
    tax: Math.round((total.minor * 19) / 119),
  })
})

test("a service whose reader is where nothing is taxed is offered no lower price, since only the tax is less", async () => {
  const shop = await openTestShop({ tax: germanNetPrices })
  const plan = await buyPlan(forBuyer(shop), { pricing, agreedTotal: GROSS })
  const abroad = pricedFor(shop.services, async () => ({ named: "BR", located: "DE" }))
  const service = await shop.services.billing.service(plan.serviceId)
  const [renewal] = service ? await priceRenewals(abroad, abroad.billing, { candidates: [service] }) : []
  expect(renewal).toMatchObject({ lower: null, unit: { minor: GROSS } })
})

test("a price that is announced for a product is with tax for each customer, and for a single service as it was typed", async () => {
  const mailer = { send: async () => ({ kind: "sent", response: "250 ok" }) as const }
  const shop = await openTestShop({ tax: germanNetPrices, mailer })
  const plan = await buyPlan(forBuyer(shop), { pricing, agreedTotal: GROSS })
  const { services, billing } = shop
  const at = services.now()
  const typed = { price: money(8_000, "EUR"), from: at + 40 * DAY, reason: "costs" }
  const announced = async () => (await services.billing.renewalTerms(plan.serviceId))?.announced?.price.minor
  // With its extra connection of EUR 19.90.
  const net = 8_000 + 1_990
  const all = { productId: "3", cycle: "annually" } as const
  await announceToAll(billing.priceMoves, { ...typed, services: all }, at)
  expect(await announced()).toBe(Math.round(net * 1.19))
  await billing.operator.movePrice(plan.serviceId, { ...typed, at })
  expect(await announced()).toBe(8_000)
})

test("a connection that is bought adds its price with tax to the plan that follows", async () => {
  const shop = forBuyer(await openTestShop({ tax: germanNetPrices }))
  const year = { ...choice, extraConnection: false }
  const plan = await buyPlan(shop, { choices: year, pricing, agreedTotal: 9_401 })
  const { services } = shop
  const service = await services.billing.service(plan.serviceId)
  const shown = { productId: "1", cycle: "monthly", price: 1_428 } as const
  expect(service && (await chooseNextPlan(services, service, shown))).toBe(true)
  await pay(shop, await orderConnection(shop, plan.serviceId))
  const [product] = await services.billing.plans()
  const extra = extraOf(product?.options[0], "EUR", "monthly")
  expect((await services.billing.nextPlan(plan.serviceId))?.price.minor).toBe(
    1_428 + (extra?.price.minor ?? 0),
  )
  const [own] = (await shop.billing.operator.exportCatalogue()).products
  expect(extra?.price.minor).not.toBe(extraOf(own?.options[0], "EUR", "monthly")?.price.minor)
})

test("a reseller's plan costs the price with tax", async () => {
  const shop = await openTestShop({ tax: germanNetPrices })
  const prices = async ({ services: { billing } }: TestShop) =>
    resellerPlansOffered(await billing.resellerPlans(), "EUR").map(({ price }) => price.minor)
  expect((await prices(shop))[0]).toBe(4_900)
  expect((await prices(forBuyer(shop)))[0]).toBe(5_831)
})

test("a plan that its buyer was not taxed for is bought at the catalogue's price", async () => {
  const shop = await openTestShop({ tax: germanNetPrices })
  const plan = await buyPlan(shop)
  expect(plan.total.minor).toBe(TOTAL)
})

test("the billing API lists the prices of a country, and orders at those of the customer's", async () => {
  const shop = await openApiShop({ tax: germanNetPrices })
  const priceOf = async (params: Record<string, string>) => {
    const { body } = await shop.call("getProduct", { pid: "3", ...params })
    return JSON.stringify(body)
  }
  expect(await priceOf({})).toContain('"79.00"')
  expect(await priceOf({ country: "ES" })).toContain('"95.59"')
  const { userid, token } = await shop.customer("ana@example.test")
  const ordered = (amount: string) =>
    shop.call("order", { userid, pid: "3", paymentmethod: "offshore", amount, currency: "EUR" }, { token })
  expect((await ordered("79.00")).status).toBe(409)
  expect((await ordered("95.59")).status).toBe(200)
  await shop.close()
})
