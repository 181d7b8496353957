import { describe, expect, test } from "vitest"
import { type BillingError, PromotionRefusedError } from "~/billing/billing"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { emptySession } from "~/context/session.server"
import type { LocaleCode } from "~/domain/locales"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"

/** Presses the button of the review of an order with a code, which billing refuses. */
async function pressIn(locale: LocaleCode, refusal: BillingError) {
  const { services, billing } = await openTestShop()
  const refuses = async () => Promise.reject(refusal)
  const purchase: PurchaseTransaction = (work) =>
    services.purchase((ports) => work({ ...ports, placeOrder: refuses }))
  const total = TOTAL - 989
  const response = await respond(
    { ...services, purchase },
    {
      path: `${locale === "en-en" ? "" : `/${locale}`}/creatingOrder.data`,
      form: { draft: "draft-1", total: String(total) },
      session: {
        ...emptySession,
        sealedAt: services.now(),
        choices: { ...choice, promoCode: "WELCOME10" },
        draft: { key: "draft-1", total },
      },
    },
  )
  const answer = { status: response.status, text: await response.text() }
  await billing.close()
  return answer
}

test.each(["en-en", "es-es", "pt-pt", "de-de", "nl-nl"] as const)(
  "a code that billing refuses without a reason is named as the cause of the new total, not a changed price (%s)",
  async (locale) => {
    const { status, text } = await pressIn(locale, new PromotionRefusedError("by-billing", "WELCOME10"))
    expect(status).toBe(409)
    expect(text).toContain(screenTexts(locale)("orderReview.codeRefused"))
    expect(text).not.toContain('"price-changed"')
  },
)

describe("a buyer who sends an order with a code that is refused", () => {
  const filledIn = { plan: "3", email: choice.email, gateway: "offshore", intent: "pay" }

  async function pressPay(fields: Record<string, string>, shown: { prefix?: string } = {}) {
    const shop = await openTestShop()
    const path = `${shown.prefix ?? "/_root"}.data`
    const response = await respond(shop.services, { path, form: { ...filledIn, ...fields } })
    const { choices } = sessionLeft(shop, response)
    const answer = { status: response.status, text: await response.text(), code: choices.promoCode }
    await shop.billing.close()
    return answer
  }

  test.each(["en-en", "es-es", "pt-pt", "de-de", "nl-nl"] as const)(
    "reads that it is not applied, and that the order can go without it (%s)",
    async (locale) => {
      const prefix = locale === "en-en" ? "/_root" : `/${locale}`
      const { status, text } = await pressPay({ promoCode: "NOSUCH" }, { prefix })
      expect(status).toBe(422)
      expect(text).toContain('"promotion.unknown"')
      expect(text).toContain(screenTexts(locale)("withoutCode"))
    },
  )

  test("orders without it by the next press, at the price without it", async () => {
    const again = await pressPay({ promoCode: " NOSUCH", refused: "NOSUCH ", shown: "7900EUR" })
    expect([again.status, again.code]).toEqual([202, null])
  })

  test("is not taken at that word for another code, typed since", async () => {
    const again = await pressPay({ promoCode: "NOSUCH2", refused: "NOSUCH" })
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('"promotion.unknown"')])
  })

  test("gets the discount if the code fits what is chosen now", async () => {
    const again = await pressPay({ promoCode: "WELCOME10", refused: "WELCOME10" })
    expect([again.status, again.code]).toEqual([202, "WELCOME10"])
  })
})
