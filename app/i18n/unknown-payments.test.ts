import { expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { loadCatalogue } from "./i18n"

/** Messages shown before an order exists, or where no payment can be created: there it is known that nothing was paid. */
const known = [
  "checkout.paused",
  "review.too-many",
  "review.email-rejected",
  "review.order-refused",
  "upsell.customer-rejected",
  "pending.once",
  "fraud.lead",
]

const claims =
  /nothing (was|has been) (taken|charged|paid)|nichts (abgebucht|berechnet|bezahlt)|cobrado nada|pagado nada|niets (afgeschreven|betaald)|nada foi (cobrado|pago)/i

const translations = await Promise.all(
  locales.map(async ({ code }) => [code, await loadCatalogue(code)] as const),
)

test.each(translations)(
  "in %s no message claims that nothing was charged where that is unknown",
  (_, messages) => {
    const claiming = textsIn(messages).filter(([, text]) => claims.test(text))
    expect(claiming.filter(([key]) => !known.includes(key))).toEqual([])
    expect(claiming.length).toBeGreaterThan(0)
  },
)

function textsIn(messages: object, path = ""): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]): [string, string][] => {
    const key = path === "" ? name : `${path}.${name}`
    return typeof value === "string" ? [[key, value]] : textsIn(value, key)
  })
}
