import { expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import type { LocaleCode } from "~/domain/locales"
import { GatewayError } from "~/gateways/gateway"
import { loadCatalogue } from "~/i18n/i18n"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

/** Presses the button of the review while the gateway does not answer, and opens the page again. */
async function pressIn(locale: LocaleCode, services: TestShop["services"]) {
  const path = `${locale === "en-en" ? "" : `/${locale}`}/creatingOrder.data`
  const draft = { key: "draft-1", total: TOTAL }
  const session = { ...emptySession, id: "s1", sealedAt: services.now(), choices: choice }
  const form = { draft: draft.key, total: String(TOTAL) }
  const pressed = await respond(services, { path, form, session: { ...session, draft } })
  const order = await services.billing.orderByIdempotencyKey(draft.key)
  if (!order) throw new Error("no order was placed")
  const again = await respond(services, { path, session: { ...session, orderId: order.id } })
  return { status: pressed.status, id: order.id, pages: [await pressed.text(), await again.text()] }
}

async function shopWithoutAnswer() {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  return shop
}

test.each(["en-en", "es-es", "pt-pt", "de-de", "nl-nl"] as const)(
  "a payment that cannot be opened keeps the order and leads to another method by the button of the page (%s)",
  async (locale) => {
    const { services, billing } = await shopWithoutAnswer()
    const { status, id, pages } = await pressIn(locale, services)
    const t = screenTexts(locale)
    expect(status).toBe(503)
    for (const page of pages) {
      expect(page).toContain(t("orderReview.notOpened", { order: id, host: "pay.test" }))
      expect(page).toContain(t("orderReview.otherMethod"))
    }
    expect(t("orderReview.otherMethod")).toContain((await loadCatalogue(locale)).review.change)
    await billing.close()
  },
)

test("a shop with one payment method names no other", async () => {
  const { services, billing } = await shopWithoutAnswer()
  const { pages } = await pressIn("en-en", { ...services, enabledGateways: ["offshore"] })
  for (const page of pages) expect(page).not.toContain(screenTexts("en-en")("orderReview.otherMethod"))
  await billing.close()
})
