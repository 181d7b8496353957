import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { noLaw } from "~/domain/shop/country-law"
import { enEn } from "~/i18n/translations/en-en"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { BROWSER_AGENT } from "../../../tests/support/browser/page-actions"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const law = {
  countries: { DE: { orderButton: true, startAtOnce: true, withdrawalDays: 14 } },
  words: noLaw.words,
}

/** The shop with the rules of Germany, and a visitor from a country. */
function shopFor(country: string) {
  const { services } = shop
  const legal = { ...services.shop.legal, law }
  return { ...services, shop: { ...services.shop, legal }, countryOf: async () => country }
}

const form = {
  intent: "pay",
  plan: "3",
  extraConnection: "on",
  email: choice.email,
  gateway: "offshore",
  promoCode: "",
}
const declared = { consent: "on", acknowledgement: "on" }

async function pay(country: string, more: Record<string, string>) {
  const response = await respond(shopFor(country), { path: "/de-de", form: { ...form, ...more } })
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  const session = decodeSession(shop.services.sessionSeal, cookie?.split(";", 1)[0], shop.services.now())
  return { status: response.status, location: response.headers.get("location"), session }
}

describe("an order that starts at once", () => {
  test.each([
    ["nothing", {}],
    ["the consent alone", { consent: "on" }],
    ["the acknowledgement alone", { acknowledgement: "on" }],
  ])("is not placed with %s declared", async (_, more) => {
    expect(await pay("DE", more)).toMatchObject({ status: 400, session: { draft: null } })
  })

  test("is not placed without both, and the page names each of them", async () => {
    const page = await (await respond(shopFor("DE"), { path: "/de-de.data?index", form: { ...form } })).text()
    expect(page).toContain("checkout.declare.consent")
    expect(page).toContain("checkout.declare.acknowledgement")
    const { consent, acknowledgement } = enEn.checkout.declare
    expect(consent).not.toBe(acknowledgement)
  })

  test("goes on with both declarations, and without any from another country", async () => {
    const next = { status: 303, location: "/checkout/de-de/creatingOrder" }
    expect(await pay("DE", declared)).toMatchObject(next)
    expect(await pay("AT", {})).toMatchObject(next)
  })

  test("keeps a time of declarations only where they were made", async () => {
    const { session: asked } = await pay("DE", declared)
    expect(asked?.draft?.declaredAt).toBe(shop.services.now())
    const { session: unasked } = await pay("AT", declared)
    expect(unasked?.draft).toMatchObject({ total: TOTAL })
    expect(unasked?.draft?.declaredAt).toBeUndefined()
  })

  test("is led back to the declarations by a buyer who comes from such a country meanwhile", async () => {
    const { session } = await pay("AT", {})
    const from = (path: string, more = {}) =>
      respond(shopFor("DE"), { path, session: session ?? {}, ...more })
    const { key = "", total = 0 } = session?.draft ?? {}
    const ordered = await from("/de-de/creatingOrder", { form: { draft: key, total: String(total) } })
    expect(ordered.headers.get("location")).toBe("/checkout/de-de")
    expect((await from("/de-de/creatingOrder.data")).status).toBe(202)
    expect(await shop.services.billing.orderByIdempotencyKey(key)).toBeNull()
    const page = await (await from("/de-de.data")).text()
    expect(page).toContain("checkout.declare.consent")
    expect(page).toContain("checkout.declare.acknowledgement")
  })

  const review = async (country: string, draft: { key: string; total: number; declaredAt?: number }) => {
    const session = { ...emptySession, id: "s1", sealedAt: shop.services.now(), choices: choice, draft }
    const reviewed = { draft: draft.key, total: String(draft.total) }
    const response = await respond(shopFor(country), {
      path: "/de-de/creatingOrder",
      session,
      form: reviewed,
    })
    return {
      location: response.headers.get("location"),
      order: await shop.services.billing.orderByIdempotencyKey(draft.key),
    }
  }

  test("keeps the declarations as they were shown, with their time", async () => {
    const declaredAt = shop.services.now() - 5_000
    const { order } = await review("DE", { key: "draft-1", total: TOTAL, declaredAt })
    expect(order?.saleTerms).toEqual({
      country: "DE",
      withdrawalDays: 14,
      declarations: {
        at: declaredAt,
        consent: expect.stringContaining("vor Ablauf der Widerrufsfrist"),
        acknowledgement: expect.stringContaining("Widerrufsrecht"),
      },
    })
  })

  test("leads back to the checkout if its draft is from before the declarations", async () => {
    const { location, order } = await review("DE", { key: "draft-1", total: TOTAL })
    expect([location, order]).toEqual(["/checkout/de-de", null])
  })

  test("keeps nothing where the country asks for nothing", async () => {
    const { order } = await review("AT", { key: "draft-1", total: TOTAL })
    expect(order).not.toBeNull()
    expect(order?.saleTerms).toBeUndefined()
  })
})

test("an entry link that orders by itself opens the checkout where declarations are asked for", async () => {
  const visit = {
    path: `/?email=${choice.email}&pid=3&auto_redirect=true`,
    headers: { "accept-language": "en", "user-agent": BROWSER_AGENT },
    session: { ...emptySession, id: "s1", sealedAt: shop.services.now() },
  }
  const from = async (country: string) => (await respond(shopFor(country), visit)).headers.get("location")
  expect(await from("DE")).toBe("/checkout/")
  expect(await from("AT")).toMatch(/^https:\/\/pay\.test\//)
})

describe("what is ordered on the service page", () => {
  const at = () => shop.services.now()
  let placedSoFar = 0

  /** Sends a form of the service page from a country; returns the status and the order that it has placed. */
  async function order(country: string, fields: Readonly<Record<string, string>>) {
    const { serviceId, customerId } = await buyPlan(shop, { key: `bought ${placedSoFar++}`, choices: choice })
    const customer = {
      id: customerId,
      email: choice.email ?? "",
      currency: "EUR" as const,
      reach: "account" as const,
    }
    const proof = { how: "password" as const, at: at() }
    const session = { ...emptySession, id: "s1", sealedAt: at(), customer, proof, serviceIds: [serviceId] }
    const key = `form ${serviceId}`.replace(/\W/g, "-").slice(0, 60)
    const response = await respond(shopFor(country), {
      path: "/de-de/success",
      session,
      form: { serviceid: serviceId, key, gateway: "offshore", ...fields },
    })
    return { status: response.status, order: await shop.services.billing.orderByIdempotencyKey(key) }
  }

  const renewal = { intent: "renew", cycles: "1" }
  const connections = { intent: "upsell", quantity: "1" }

  test.each([
    ["a renewal", renewal],
    ["extra connections", connections],
  ])("%s asks for both declarations and keeps them, with the days of withdrawal", async (_, fields) => {
    const partly: Record<string, string>[] = [{}, { consent: "on" }]
    for (const more of partly)
      expect(await order("DE", { ...fields, ...more })).toMatchObject({ status: 400, order: null })
    const placed = await order("DE", { ...fields, ...declared })
    expect(placed.status).toBe(303)
    expect(placed.order?.saleTerms).toEqual({
      country: "DE",
      withdrawalDays: 14,
      declarations: {
        at: at(),
        consent: expect.stringContaining("vor Ablauf der Widerrufsfrist"),
        acknowledgement: expect.stringContaining("Widerrufsrecht"),
      },
    })
    const elsewhere = await order("AT", fields)
    expect([elsewhere.status, elsewhere.order?.saleTerms]).toEqual([303, undefined])
  })

  test("account credit has the days of withdrawal, and needs no declarations", async () => {
    const { status, order: placed } = await order("DE", { intent: "topup", amount: "2500" })
    expect(status).toBe(303)
    expect(placed?.saleTerms).toEqual({ country: "DE", withdrawalDays: 14, declarations: null })
  })
})
