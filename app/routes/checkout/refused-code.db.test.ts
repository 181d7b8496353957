import { expect, test } from "vitest"
import { type BillingError, PromotionRefusedError } from "~/billing/billing"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { emptySession } from "~/context/session.server"
import type { LocaleCode } from "~/domain/locales"
import { screenTexts } from "~/i18n/load-screen-texts.server"
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
