import { expect, test, vi } from "vitest"
import { BillingError } from "~/billing/billing"
import { resumeOrdering } from "~/flows/jobs/resume-ordering.server"
import { startResellerReview } from "~/flows/resellers/start-reseller-review.server"
import { choice, NOON, openTestShop, pricing } from "../../../tests/fixtures/test-shop"
import { applyCode } from "./apply-promo-code.server"
import { limitPromoCodes } from "./limit-promo-codes.server"
import { retryOrdering } from "./pause-on-outage.server"
import { placeAutoOrder } from "./place-auto-order.server"
import { showOffer, showResellerOffer } from "./show-offer.server"
import { startReview } from "./start-review.server"

const silent = async (): Promise<never> => {
  throw new BillingError("unavailable", "no answer")
}

/** A shop with a cached catalogue whose database is unavailable. */
async function pausedShop() {
  const { services } = await openTestShop()
  const catalogue = { ...services.catalogue, paused: () => true }
  const billing = { ...services.billing, plans: silent, resellerPlans: silent, promotion: silent }
  return { ...services, catalogue, billing: { ...billing, isReseller: silent, resellerAuth: silent } }
}

const agreed = { code: null, shown: undefined, currency: "EUR" } as const
const customer = { id: "7", reach: "account", email: choice.email, currency: "EUR", locale: "en-en" } as const

test("the checkout shows that ordering is paused and keeps the promo code without applying it", async () => {
  const offer = await showOffer(
    await pausedShop(),
    { ...choice, promoCode: "WELCOME10" },
    {
      currency: "EUR",
      locale: "en-en",
    },
  )
  expect(offer).toMatchObject({
    paused: true,
    choices: { plan: "3", promoCode: "WELCOME10" },
    promotion: null,
  })
  expect(offer?.errors).toEqual({ promoCode: ["promotion.unchecked"] })
})

test("the reseller page shows that ordering is paused, also to a signed-in customer", async () => {
  const offer = await showResellerOffer(await pausedShop(), choice, {
    customer,
    claimsExisting: false,
    currency: "EUR",
    locale: "en-en",
  })
  expect(offer).toMatchObject({ paused: true, plans: [{}, {}, {}] })
})

test("submitting the checkout while paused asks to retry and places no order", async () => {
  const refused = { kind: "rejected", field: "form", reason: "checkout.paused" }
  const shop = await pausedShop()
  expect(await startReview(shop, choice, agreed)).toEqual(refused)
  const buyer = { kind: "existing", email: choice.email, password: "what-ever-9" } as const
  const who = { address: null, visitor: null, authenticated: false }
  const request = { key: "k", plan: "12", gateway: choice.gateway, coin: null, promoCode: null }
  const order = { ...request, buyer, agreed, pricing, locale: "en-en", who } as const
  expect(await startResellerReview(shop, order)).toEqual(refused)
})

test("a promo code is not rejected as unknown while the look-up is unavailable", async () => {
  const shop = await pausedShop()
  const who = { address: null, visitor: null, authenticated: false }
  const tried = await limitPromoCodes(shop, "WELCOME10", who)
  expect(tried).toEqual({ ok: true, promotion: undefined })
  const applied = await applyCode(shop, choice, { promotion: undefined, currency: "EUR" })
  expect(applied).toMatchObject({ kind: "rejected", reason: "promotion.unchecked" })
})

test("an auto-redirect link places no order while ordering is paused", async () => {
  const link = { email: choice.email, pid: "3" }
  const anonymous = { address: null, affiliateId: null, customer: null, orderId: null }
  const request = { link, locale: "en-en", country: "XX", ...anonymous } as Parameters<
    typeof placeAutoOrder
  >[1]
  expect(await placeAutoOrder(await pausedShop(), request)).toEqual({ kind: "stopped" })
})

test("a refusal by the billing backend does not pause ordering", async () => {
  const { services } = await openTestShop()
  const refusing = async () => Promise.reject(new BillingError("refused", "no"))
  const billing = { ...services.billing, plans: refusing }
  await expect(startReview({ ...services, billing }, choice, agreed)).rejects.toMatchObject({
    kind: "refused",
  })
})

test("an outage pauses ordering for everybody, but not a call that alone is asked to wait", async () => {
  const shop = await pausedShop()
  const pause = vi.fn<typeof shop.catalogue.pause>()
  const buyWith = (plans: typeof silent) => {
    const catalogue = { ...shop.catalogue, paused: () => pause.mock.calls.length > 0, pause }
    const services = { ...shop, catalogue, billing: { ...shop.billing, plans } }
    return startReview(services, choice, agreed)
  }
  const busy = new BillingError("unavailable", "too many tries", { retryAfterSeconds: 60 })
  expect(await buyWith(async () => Promise.reject(busy))).toMatchObject({ reason: "signIn.busy" })
  expect(pause).not.toHaveBeenCalled()
  expect(await buyWith(silent)).toMatchObject({ reason: "checkout.paused" })
  expect(pause).toHaveBeenCalledOnce()
})

test("an order whose plans billing has answered resumes ordering for everybody", async () => {
  const { services } = await openTestShop()
  const resume = vi.fn<typeof services.catalogue.resume>()
  const catalogue = { ...services.catalogue, paused: () => true, resume }
  const buyWith = (billing: typeof services.billing) =>
    startReview({ ...services, catalogue, billing }, choice, agreed)
  await buyWith({ ...services.billing, plans: silent })
  expect(resume).not.toHaveBeenCalled()
  expect(await buyWith(services.billing)).toMatchObject({ kind: "ready" })
  expect(resume).toHaveBeenCalledOnce()
})

test("a visitor who tries again asks billing for the plans, and ordering resumes with its answer", async () => {
  const { services } = await openTestShop()
  const resume = vi.fn<typeof services.catalogue.resume>()
  const catalogue = { ...services.catalogue, resume }
  const plans = vi.fn<typeof services.billing.plans>(silent)
  const billing = { ...services.billing, plans }
  await retryOrdering({ ...services, catalogue, billing })
  expect(plans).not.toHaveBeenCalled()
  const paused = { ...catalogue, paused: () => true }
  await retryOrdering({ ...services, catalogue: paused, billing })
  expect([plans.mock.calls.length, resume.mock.calls.length]).toEqual([1, 0])
  await retryOrdering({ ...services, catalogue: paused })
  expect(resume).toHaveBeenCalledOnce()
})

test("polls the catalogue while ordering is paused, and only then", async () => {
  const { services } = await openTestShop()
  let requestCount = 0
  const plans = async () => {
    requestCount++
    return []
  }
  await resumeOrdering({ catalogue: { ...services.catalogue, plans } })
  expect(requestCount).toBe(0)
  await resumeOrdering({ catalogue: { ...services.catalogue, plans, paused: () => true } })
  expect([requestCount, services.now()]).toEqual([1, NOON])
})
