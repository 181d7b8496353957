import { expect, test } from "vitest"
import { BillingError, CodeRejectedError } from "~/billing/billing"
import { limits } from "~/security/rate-limits.server"
import { choice, openTestShop, pricing } from "../../../tests/fixtures/test-shop"
import { applyCode } from "./apply-promo-code.server"
import { limitPromoCodes } from "./limit-promo-codes.server"
import { placeAutoOrder } from "./place-auto-order.server"
import { placeOrder } from "./place-order.server"
import { reviewOrder } from "./review-order.server"
import { showOffer } from "./show-offer.server"
import { startReview } from "./start-review.server"

const CODE = "WELCOME10"
const unchecked = { kind: "rejected", field: "promoCode", reason: "promotion.unchecked" }

/** A shop whose billing backend answers every look-up of a promo code with an error. */
async function shopWithFailingCodes(kind: "refused" | "unreadable") {
  const shop = await openTestShop()
  const promotion = async (): Promise<never> => {
    throw new BillingError(kind, "WHMCS said no to GetPromotions")
  }
  return { shop, services: { ...shop.services, billing: { ...shop.services.billing, promotion } } }
}

test.each(["refused", "unreadable"] as const)(
  "a promo code whose look-up fails as %s is reported as unchecked, and ordering without it succeeds",
  async (kind) => {
    const { shop, services } = await shopWithFailingCodes(kind)
    const subject = { address: "192.0.2.7", visitor: null, authenticated: false } as const
    const tried = await limitPromoCodes(services, CODE, subject)
    expect(tried).toEqual({ ok: true, promotion: "unchecked" })
    expect(await applyCode(services, choice, { promotion: "unchecked", currency: "EUR" })).toEqual(unchecked)

    const offer = await showOffer(
      services,
      { ...choice, promoCode: CODE },
      { currency: "EUR", locale: "en-en" },
    )
    expect(offer).toMatchObject({ errors: { promoCode: ["promotion.unchecked"] }, paused: false })
    expect(await startReview(services, { ...choice, promoCode: CODE }, quoteResult(null))).toEqual(unchecked)
    expect(await startReview(services, choice, quoteResult(CODE))).toEqual(unchecked)
    const draft = {
      choices: { ...choice, promoCode: CODE },
      customer: null,
      orderId: null,
      currency: "EUR" as const,
    }
    expect(await reviewOrder(services, { ...draft, agreedTotal: 7_900 })).toEqual({ kind: "rejected" })
    expect(await startReview(services, choice, quoteResult(null))).toMatchObject({ kind: "ready" })
    expect(shop.log.some(({ msg }) => msg === "promo code look-up failed")).toBe(true)
  },
)

test("rejects an order at the promo code field when the code cannot be checked", async () => {
  const { services } = await shopWithFailingCodes("refused")
  const request = {
    choices: { ...choice, promoCode: CODE },
    customer: null,
    key: "k",
    orderId: null,
    agreedTotal: 7_110,
    pricing,
    address: null,
    browser: null,
    affiliateId: null,
    locale: "en-en" as const,
  }
  expect(await placeOrder(services, request)).toEqual(unchecked)
})

test("does not place an automatic order whose promo code cannot be checked", async () => {
  const { services } = await shopWithFailingCodes("refused")
  const link = { email: choice.email, pid: "3", promocode: CODE }
  const anonymous = { address: null, affiliateId: null, customer: null, orderId: null }
  const order = { link, locale: "en-en", country: "XX", ...anonymous } as Parameters<typeof placeAutoOrder>[1]
  expect(await placeAutoOrder(services, order)).toEqual({ kind: "stopped" })
})

test("a code that billing rejects in a sentence of its own gets that sentence, and counts as a wrong one", async () => {
  const shop = await openTestShop()
  const sentence = "This code is for new customers only."
  const promotion = async (): Promise<never> => {
    throw new CodeRejectedError(sentence)
  }
  const services = { ...shop.services, billing: { ...shop.services.billing, promotion } }
  const rejected = { kind: "rejected", field: "promoCode", reason: sentence }
  const subject = { address: "192.0.2.9", visitor: "browser 9", authenticated: false } as const
  const tried = await limitPromoCodes(services, CODE, subject)
  expect(tried).toEqual({ ok: true, promotion: { sentence } })
  for (let more = 1; more < limits.wrongCodesOfBrowser; more++) await limitPromoCodes(services, CODE, subject)
  expect(await limitPromoCodes(services, CODE, subject)).toMatchObject({ ok: false })
  expect(await applyCode(services, choice, { promotion: { sentence }, currency: "EUR" })).toEqual(rejected)
  const typed = { ...choice, promoCode: CODE }
  expect(await startReview(services, typed, quoteResult(null))).toEqual(rejected)
  expect(await startReview(services, choice, quoteResult(CODE))).toMatchObject({ kind: "ready" })
  const reduced = { ...quoteResult(CODE), isDiscounted: true }
  expect(await startReview(services, choice, reduced)).toEqual(rejected)
  const offer = await showOffer(services, typed, { currency: "EUR", locale: "en-en" })
  expect(offer).toMatchObject({ errors: { promoCode: [sentence] }, promotion: null })
})

const quoteResult = (code: string | null) => ({ code, shown: undefined, currency: "EUR" as const })
