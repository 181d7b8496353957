import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { locales } from "~/domain/locales"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
  const { operator } = shop.billing
  const whole = { discount: { kind: "percentage", basisPoints: 10_000 }, maxUses: null } as const
  const free = { code: "FREE", productIds: ["3", "12"], startsOn: null, endsOn: null, ...whole }
  await operator.importCatalogue({ ...(await operator.exportCatalogue()), promotions: [free] })
})
afterEach(() => shop.billing.close())

async function pageOf(path: string, promoCode: string | null) {
  const reseller = path.includes("resellers") && ({ kind: "reseller", plan: "12" } as const)
  const choices = { ...choice, ...reseller, promoCode }
  const session = { ...emptySession, id: "s1", sealedAt: shop.services.now(), choices }
  return (await respond(shop.services, { path, session })).text()
}

test.each(
  locales.flatMap(({ code, prefix }) => [
    { code, path: prefix ? `${prefix}.data` : "/_root.data" },
    { code, path: `${prefix}/resellers.data` },
  ]),
)("$path has the words of its button for an order that a code pays whole", async ({ code, path }) => {
  const words = `"freeButton","${screenTexts(code)("orderReview.order")}"`
  expect(await pageOf(path, "FREE")).toContain(words)
  expect(await pageOf(path, null)).not.toContain("freeButton")
})
