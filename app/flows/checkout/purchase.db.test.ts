import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import type { PromotionDefinition } from "~/billing/embedded/catalogue/promotion-schema"
import { SECOND } from "~/domain/calendar"
import { emptyChoices } from "~/domain/orders/choices"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { playlistOf, showAccess } from "~/flows/services/show-access.server"
import { GatewayError } from "~/gateways/gateway"
import { browserWith, buy, request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { applyCode } from "./apply-promo-code.server"
import { placeOrder } from "./place-order.server"
import { reviewOrder } from "./review-order.server"
import { showOffer } from "./show-offer.server"
import { startReview } from "./start-review.server"
import { findPromotion } from "./validate-promo-code.server"

test("places an order at the agreed price and opens a payment over that amount", async () => {
  const shop = await openTestShop()
  const { order, opening } = await buy(shop)
  expect(order).toMatchObject({ status: "placed", total: { minor: TOTAL } })
  expect(opening).toMatchObject({ kind: "opened", url: expect.stringMatching(/^https:\/\/pay\.test\//) })
  expect(shop.gateway.opened[0]).toMatchObject({ amount: { minor: TOTAL }, orderId: order.id })
})

test.each([
  ["a changed price", { agreedTotal: TOTAL - 1 }],
  ["an unreadable price", { agreedTotal: null, customer: null }],
])("%s requires new consent and places no order", async (_, changed) => {
  const shop = await openTestShop()
  const placement = await placeOrder(shop.services, { ...request(), ...changed })
  expect(placement).toMatchObject({ kind: "price-changed", quote: { total: { minor: TOTAL } } })
  expect(await shop.billing.operator.orders({ limit: 9 })).toEqual([])
})

test.each([
  [{ plan: "99" }, "plan", "checkout.plan.gone"],
  [{ promoCode: "NOSUCH" }, "promoCode", "promotion.unknown"],
  [{ promoCode: "SUMMER25" }, "promoCode", "promotion.ended"],
  [{ plan: "1", promoCode: "YEAR15" }, "promoCode", "promotion.not-for-this-product"],
])("rejects the choices %o at the field %s", async (wrong, field, reason) => {
  const { services } = await openTestShop()
  const placement = await placeOrder(services, { ...request(), choices: { ...choice, ...wrong } })
  expect(placement).toEqual({ kind: "rejected", field, reason })
})

test("a code that is copied with characters that nobody sees is the code that its buyer sees", async () => {
  const { services } = await openTestShop()
  const typed = { ...choice, promoCode: "WEL\u00adCOME10\u200b" }
  const start = await startReview(services, typed, { code: null, shown: undefined, currency: "EUR" })
  if (start.kind !== "ready") throw new Error(start.reason)
  const placement = await placeOrder(services, {
    ...request(),
    choices: start.choices,
    agreedTotal: start.total,
  })
  expect(placement).toMatchObject({ kind: "placed", order: { total: { minor: start.total } } })
  expect(start.total).toBe(Math.round(TOTAL * 0.9))
  expect(await services.billing.promotionUses("WELCOME10")).toBe(1)
})

test("a code of the catalogue that has such a character itself is found as it is typed", async () => {
  const { services } = await openTestShop()
  const code = "A\u00adB"
  const promotion = async (asked: string) =>
    asked === code ? { ...(await services.billing.promotion("WELCOME10")), code } : null
  const shop = {
    ...services,
    billing: { ...services.billing, promotion: promotion as typeof services.billing.promotion },
  }
  expect(await findPromotion(shop, code)).toMatchObject({ code })
  expect(await findPromotion(shop, "AB")).toBeNull()
})

test.each(["the review", "the order"])(
  "a plan that %s finds sold no more is shown no more either",
  async (step) => {
    const { services } = await openTestShop()
    let expired = 0
    const catalogue = { ...services.catalogue, expire: () => void expired++ }
    const shop = { ...services, catalogue }
    const ordered = { ...request(), choices: { ...choice, plan: "99" } }
    const reviewed = { ...ordered, currency: "EUR", key: undefined } as const
    if (step === "the order") await placeOrder(shop, ordered)
    else expect(await reviewOrder(shop, reviewed)).toEqual({ kind: "rejected" })
    expect(expired).toBe(1)
  },
)

test("an extra that the plan does not offer is neither charged nor provisioned", async () => {
  const shop = await openTestShop()
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  await shop.billing.operator.importCatalogue({
    ...rest,
    products: products.map((it) => ({ ...it, options: [] })),
  })
  const { order } = await buy(shop, { agreedTotal: 79_00 })
  expect(await shop.services.billing.service(order.serviceId)).toMatchObject({ connections: 1 })
})

test("submitting twice yields one order and one payment", async () => {
  const shop = await openTestShop()
  const [first, second] = await Promise.all([buy(shop), buy(shop)])
  expect(second.order.id).toBe(first.order.id)
  expect(second.opening).toEqual(first.opening)
})

test("a payment page at an origin outside the CSP is linked from the waiting page", async () => {
  const shop = await openTestShop()
  shop.gateway.leadsTo("https://new.test")
  const { order, opening } = await buy(shop)
  expect(opening).toMatchObject({ url: expect.stringMatching(/^https:\/\/shop\.test\/checkout\/waiting$/) })
  const seen = await getOrderProgress(shop.services, order.id)
  expect(seen).toMatchObject({ pay: { host: "new.test" } })
})

test("keeps the order when the gateway is unavailable, and the next attempt opens the payment", async () => {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  const { order, opening } = await buy(shop)
  expect(opening).toEqual({ kind: "not-opened", error: "unavailable", retryAfterSeconds: null })
  const review = await reviewOrder(shop.services, {
    choices: choice,
    orderId: order.id,
    agreedTotal: TOTAL,
    customer: null,
    currency: "EUR",
  })
  expect(review).toMatchObject({ orderId: order.id, error: "payment-not-opened" })

  shop.gateway.fail(null)
  const again = await buy(shop, { orderId: order.id, agreedTotal: 1 })
  expect(again.order.id).toBe(order.id)
  expect(again.opening.kind).toBe("opened")
  expect(shop.log.filter(({ msg }) => msg === "payment not created")).toHaveLength(1)
})

test("the review step of a placed order shows the order, not newer choices", async () => {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  const { order } = await buy(shop)
  const otherSession = {
    choices: { ...emptyChoices, plan: "1" },
    orderId: order.id,
    agreedTotal: null,
    customer: null,
    currency: "EUR" as const,
  }
  const review = await reviewOrder(shop.services, otherSession)
  expect(review).toMatchObject({ kind: "review", orderId: order.id, quote: { total: { minor: TOTAL } } })
})

test.each([
  ["no total was agreed to", { agreedTotal: null, choices: choice }],
  ["a choice is missing", { agreedTotal: TOTAL, choices: { ...choice, email: null } }],
])("there is nothing to review while %s", async (_, draft) => {
  const { services } = await openTestShop()
  expect(await reviewOrder(services, { ...draft, orderId: null, customer: null, currency: "EUR" })).toEqual({
    kind: "rejected",
  })
})

test("a returning buyer gets working credentials after payment without any callback", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  expect((await getOrderProgress(shop.services, order.id))?.order.status).toBe("paid")

  await runJobs(shop.services)
  const access = await showAccess(shop.services, browserWith(order))
  expect(access).toMatchObject({ ready: true, service: { host: "https://tv.test", connections: 2 } })
  expect(access?.service.username).toMatch(/^TV[2-9A-Z]{8}$/)
  const playlist = await playlistOf(shop.services, access?.service ?? null)
  expect(playlist && (await text(playlist))).toContain("#EXTM3U")
})

test("there is no playlist before the service is active", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const service = await shop.services.billing.service(order.serviceId)
  expect(await playlistOf(shop.services, service)).toBeNull()
})

test("concurrent page views poll the gateway once", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(5 * SECOND)
  await Promise.all([1, 2, 3].map(() => getOrderProgress(shop.services, order.id)))
  expect(shop.gateway.requests).toHaveLength(1)
})

test("a failed gateway poll is logged and does not fail the page", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  shop.wait(5 * SECOND)
  const watched = await getOrderProgress(shop.services, order.id)
  expect(watched).toMatchObject({ order: { status: "awaiting-payment" }, pay: { host: "pay.test" } })
  expect(shop.log.at(-1)).toMatchObject({ msg: "gateway poll failed", orderId: order.id })
})

/** Changes the promotion WELCOME10. */
async function limitWelcome({ billing }: TestShop, limits: Partial<PromotionDefinition>) {
  const file = await billing.operator.exportCatalogue()
  const promotions = file.promotions.map((it) => (it.code === "WELCOME10" ? { ...it, ...limits } : it))
  await billing.operator.importCatalogue({ ...file, promotions })
}

test("a payment method that is drained at the review is named as gone, with another one preselected", async () => {
  const { services, billing } = await openTestShop()
  const [drained, other] = services.enabledGateways
  if (!drained || !other) throw new Error("The shop needs two gateways")
  const choices = { ...choice, gateway: drained }
  const shown = () => showOffer(services, choices, { currency: "EUR", locale: "en-en" })
  expect((await shown())?.errors).toEqual({})
  await billing.drains.drain(drained, { at: services.now(), offered: services.enabledGateways })
  expect(await placeOrder(services, { ...request(), choices })).toEqual({
    kind: "rejected",
    field: "gateway",
    reason: "checkout.gateway.gone",
  })
  expect(await shown()).toMatchObject({
    choices: { gateway: other },
    errors: { gateway: ["checkout.gateway.gone"] },
  })
})

test("a code for other billing cycles than the plan's is refused when it is applied, shown and ordered with", async () => {
  const shop = await openTestShop()
  const { services } = shop
  const rejected = { kind: "rejected", field: "promoCode", reason: "promotion.not-for-this-product" }
  const choices = { ...choice, promoCode: "WELCOME10" }
  const applied = async () => {
    const promotion = await services.billing.promotion("WELCOME10")
    return applyCode(services, choices, { promotion, currency: "EUR" })
  }
  const shown = () => showOffer(services, choices, { currency: "EUR", locale: "en-en" })
  await limitWelcome(shop, { cycles: ["monthly"] })
  expect(await applied()).toEqual(rejected)
  expect(await placeOrder(services, { ...request(), choices })).toEqual(rejected)
  expect(await shown()).toMatchObject({ promotion: null, errors: { promoCode: [rejected.reason] } })
  await limitWelcome(shop, { cycles: ["annually"] })
  expect(await applied()).toMatchObject({ kind: "applied" })
  expect((await shown())?.promotion?.productIds).not.toContain("1")
})

test("a buyer who has used a code as often as one person may is asked about the price without it", async () => {
  const shop = await openTestShop()
  await limitWelcome(shop, { usesPerPerson: 1 })
  const choices = { ...choice, promoCode: "WELCOME10" }
  const order = (key: string, changes = {}) =>
    placeOrder(shop.services, { ...request({ key }), choices, agreedTotal: TOTAL - 989, ...changes })
  expect(await order("first")).toMatchObject({ kind: "placed" })
  expect(await order("second")).toMatchObject({ kind: "code-used", quote: { total: { minor: TOTAL } } })
  expect(await order("second", { choices: { ...choices, email: "other@example.test" } })).toMatchObject({
    kind: "placed",
  })
})
