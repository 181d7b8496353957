import { expect, test } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { openApiShop } from "../../../tests/fixtures/api-client"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { germanNetPrices } from "../../../tests/fixtures/tax-rules"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { requote } from "./held-order.server"
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
