import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { invoiceOf } from "~/billing-api/contract/orders"
import { decodeSession } from "~/context/session-cookie.server"
import { taxTotal } from "~/domain/orders/order-tax"
import { buyPlan, orderConnection } from "../../../tests/fixtures/purchase"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { germanNetPrices, germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax })
})
afterEach(() => shop.billing.close())

const form = {
  plan: "3",
  extraConnection: "on",
  email: choice.email,
  gateway: "offshore",
  promoCode: "",
}

/** A request of a visitor whose address is in a country, with the session that the browser has afterwards. */
async function visit(located: string, request: Visit) {
  const services = { ...shop.services, countryOf: async () => located }
  const response = await respond(services, request)
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  return {
    status: response.status,
    location: response.headers.get("location"),
    text: (await response.text()).replaceAll("\u00a0", " "),
    session: cookie
      ? decodeSession(services.sessionSeal, cookie.split(";", 1)[0], services.now())
      : undefined,
  }
}

/** What the page of a path is rendered from. */
const shown = async (located: string, path: string, session?: Visit["session"]) =>
  (await visit(located, { path: `${path}.data`, ...(session && { session }) })).text

/** Confirms the country that the buyer has named, if the review asks for it. */
async function confirm(located: string, session: Visit["session"] | null) {
  const review = await visit(located, { path: "/de-de/creatingOrder", ...(session && { session }) })
  if (review.location !== "/checkout/de-de/country") return session
  const form = { country: session?.country ?? "" }
  return (await visit(located, { path: "/de-de/country", form, ...(session && { session }) })).session
}

/** Orders on the checkout and its review, and answers with the stored order. */
async function order(located: string, more: Record<string, string> = {}) {
  const paid = await visit(located, { path: "/de-de", form: { ...form, intent: "pay", ...more } })
  const session = (await confirm(located, paid.session)) ?? undefined
  const key = session?.draft?.key ?? ""
  const review = await shown(located, "/de-de/creatingOrder", session)
  await visit(located, {
    path: "/de-de/creatingOrder",
    session: { ...session },
    form: { draft: key, total: String(session?.draft?.total) },
  })
  return { review, session, order: await shop.services.billing.orderByIdempotencyKey(key) }
}

describe("the checkout of a shop that taxes", () => {
  test("begins with the country of the address and the words of its rate", async () => {
    const page = await shown("DE", "/de-de")
    expect(page).toContain("inkl. 19 % MwSt.")
    expect(page).toContain("Deutschland")
  })

  test("shows the rate of another country once its button is pressed, and keeps what was filled in", async () => {
    const pressed = await visit("DE", { path: "/de-de", form: { ...form, intent: "update", country: "AT" } })
    expect(pressed).toMatchObject({ status: 303, location: "/checkout/de-de", session: { country: "AT" } })
    expect(pressed.session?.choices).toMatchObject({ plan: "3", email: choice.email })
    const page = await shown("DE", "/de-de", pressed.session)
    expect(page).toContain("inkl. 20 % MwSt.")
    expect(page).not.toContain("19 %")
  })

  test("names no tax to a buyer whom it does not tax", async () => {
    expect(await shown("US", "/de-de")).not.toContain("MwSt.")
  })

  test("ignores a country that does not exist", async () => {
    const { session } = await visit("DE", {
      path: "/de-de",
      form: { ...form, intent: "update", country: "QQ" },
    })
    expect(session?.country).toBeUndefined()
  })

  test("needs the review step again for another country", async () => {
    const { session } = await order("DE")
    const again = await visit("DE", {
      path: "/de-de",
      session: { ...session, orderId: null },
      form: { ...form, intent: "pay", country: "FR" },
    })
    expect(again.session?.draft?.key).not.toBe(session?.draft?.key)
  })
})

describe("an order of a shop that taxes", () => {
  test("keeps the tax of a German consumer within the price, with both countries as evidence", async () => {
    const { review, order: placed } = await order("DE", { country: "DE" })
    expect(review).toContain("inkl. 19 % MwSt. 15,79 €")
    expect(placed?.total.minor).toBe(TOTAL)
    expect(placed?.tax).toMatchObject({
      place: { kind: "taxed", country: "DE", registration: "DE123456789" },
      buyer: { named: "DE", located: "DE" },
      lines: [
        { position: 0, basisPoints: 1_900, gross: 7_900 },
        { position: 1, basisPoints: 1_900, gross: 1_990 },
      ],
    })
    expect(placed?.tax && taxTotal(placed.tax)).toEqual({ net: 8_311, tax: 1_579, gross: TOTAL })
  })

  test("has an Austrian consumer's rate at the same price", async () => {
    const { review, order: placed } = await order("DE", { country: "AT" })
    expect(review).toContain("inkl. 20 % MwSt. 16,48 €")
    expect(placed?.total.minor).toBe(TOTAL)
    expect(placed?.tax).toMatchObject({
      place: { country: "AT" },
      buyer: { named: "AT", located: "DE", confirmed: "AT" },
    })
  })

  test("asks a buyer once which country is right, in words, and takes the one of the address for an answer too", async () => {
    const paid = await visit("DE", { path: "/de-de", form: { ...form, intent: "pay", country: "AT" } })
    const session = { ...paid.session }
    expect(await visit("DE", { path: "/de-de/creatingOrder", session })).toMatchObject({
      status: 302,
      location: "/checkout/de-de/country",
    })
    const page = await shown("DE", "/de-de/country", session)
    expect(page).toContain(
      "Gewählt haben Sie Österreich, Ihre Verbindung kommt aber aus einem anderen Land: Deutschland.",
    )
    const answered = await visit("DE", { path: "/de-de/country", session, form: { country: "DE" } })
    expect(answered).toMatchObject({
      status: 303,
      location: "/checkout/de-de/creatingOrder",
      session: { country: "DE", confirmedCountry: "DE", draft: session.draft },
    })
    expect(await shown("DE", "/de-de/creatingOrder", { ...answered.session })).toContain("inkl. 19 %")
  })

  test("is not held up twice: an answer that is none counts as the country that was named", async () => {
    const paid = await visit("DE", { path: "/de-de", form: { ...form, intent: "pay", country: "AT" } })
    const answered = await visit("DE", {
      path: "/de-de/country",
      session: { ...paid.session },
      form: { country: "US" },
    })
    expect(answered.session?.country).toBe("AT")
    const review = await visit("DE", { path: "/de-de/creatingOrder", session: { ...answered.session } })
    expect(review.status).toBe(200)
  })

  test("asks nothing of a buyer whose address has no country, or the one that is named", async () => {
    for (const located of ["XX", "AT"]) {
      const paid = await visit(located, { path: "/de-de", form: { ...form, intent: "pay", country: "AT" } })
      const review = await visit(located, { path: "/de-de/creatingOrder", session: { ...paid.session } })
      expect(review.status).toBe(200)
    }
  })

  test("tells the billing API's callers amount and rate as WHMCS does", async () => {
    const { order: placed } = await order("DE")
    expect(placed && invoiceOf(placed)).toMatchObject({ total: "98.90", tax: "15.79", taxrate: "19.00" })
  })

  test("is for the customer's country where nobody names one, and keeps its tax when the rules change", async () => {
    const plan = await buyPlan(shop)
    const connection = await orderConnection(shop, plan.serviceId)
    expect(connection.tax?.lines).toMatchObject([{ basisPoints: 0, net: 1_990, tax: 0 }])
    expect(connection.tax?.place).toMatchObject({ kind: "not-registered", country: "MA" })
    expect((await shop.services.billing.order(plan.id))?.tax).toEqual(plan.tax)
  })
})

describe("a shop that adds the tax to its prices", () => {
  const american = {
    ...germanNetPrices,
    registrations: [
      ...germanTax.registrations,
      { country: "US", number: "12-3456789", from: "2020-01-01", until: null },
    ],
    rates: [
      { country: "US", category: "standard", basisPoints: 800, from: "2020-01-01", until: null },
      ...germanTax.rates,
    ],
  }
  beforeEach(async () => {
    await shop.billing.close()
    shop = await openTestShop({ tax: american })
  })

  test("shows and takes the price with the tax of a German consumer", async () => {
    const page = await shown("DE", "/de-de")
    expect(page).toContain("9401")
    expect(page).not.toContain("Ohne Steuer")
    const { review, session, order: placed } = await order("DE")
    expect(review).toContain("inkl. 19 % MwSt. 18,79 €")
    expect(session?.draft?.total).toBe(9_401 + 2_368)
    expect(placed?.total.minor).toBe(9_401 + 2_368)
    expect(placed?.tax && taxTotal(placed.tax)).toEqual({ net: 9_890, tax: 1_879, gross: 11_769 })
    expect(placed && invoiceOf(placed)).toMatchObject({ total: "117.69", tax: "18.79" })
  })

  test("names the price without tax too where consumers expect it, and the tax before ordering", async () => {
    const page = await shown("US", "/")
    expect(page).toMatch(/Without tax: 1.month €12\.00, .*12.months €79\.00, plus tax/)
    const { review, order: placed } = await order("US")
    expect(review).toContain("inkl. 8 % Steuer 7,91 €, 98,90 € ohne Steuer")
    expect(placed?.total.minor).toBe(8_532 + 2_149)
  })

  test("takes the catalogue's price of a buyer whom it does not tax", async () => {
    expect((await order("BR")).order?.total.minor).toBe(TOTAL)
  })

  test("shows the prices of another country once it is chosen, and orders at them", async () => {
    const { session, order: placed } = await order("US", { country: "AT" })
    expect(placed?.total.minor).toBe(9_480 + 2_388)
    expect(session?.draft?.total).toBe(9_480 + 2_388)
  })
})

describe("a shop whose rules have regions", () => {
  const spanish = (region: string, basisPoints: number) => ({
    country: "ES",
    region,
    category: "standard",
    basisPoints,
    from: "2020-01-01",
    until: null,
  })
  beforeEach(async () => {
    await shop.billing.close()
    const rates = [spanish("Ceuta & Melilla", 0), spanish("Canarias", 700), ...germanTax.rates]
    shop = await openTestShop({ tax: { ...germanTax, rates } })
  })
  const update = { ...form, intent: "update" }

  test("asks for the region in a country that has some, and nowhere else", async () => {
    const page = await shown("ES", "/es-es")
    expect(page).toMatch(/Región <select name=\W+region\W/)
    expect(page).toContain("Ceuta &amp; Melilla")
    expect(await shown("DE", "/es-es")).not.toContain("Región")
  })

  test("names the rate of the region once the button is pressed, and that of the country without one", async () => {
    const pressed = await visit("ES", {
      path: "/es-es",
      form: { ...update, country: "ES", region: "Canarias" },
    })
    expect(pressed.session).toMatchObject({ country: "ES", region: "Canarias" })
    expect(await shown("ES", "/es-es", pressed.session ?? undefined)).toContain("IVA del 7 % incl.")
    const without = await visit("ES", {
      path: "/es-es",
      session: { ...pressed.session },
      form: { ...update, country: "ES", region: "" },
    })
    expect(without.session?.region).toBeUndefined()
    expect(await shown("ES", "/es-es", without.session ?? undefined)).toContain("IVA del 21 % incl.")
  })

  test.each([
    ["one that does not exist", "ES", "Atlantis"],
    ["one of another country", "DE", "Canarias"],
  ])("ignores %s", async (_, country, region) => {
    const pressed = await visit("ES", { path: "/es-es", form: { ...update, country, region } })
    expect(pressed.session).toMatchObject({ country })
    expect(pressed.session?.region).toBeUndefined()
  })

  test("keeps the region with the order, which needs the review step again for another one", async () => {
    const { review, order: placed, session } = await order("ES", { country: "ES", region: "Canarias" })
    expect(review).toContain("inkl. 7 % MwSt. 6,47 €")
    expect(placed?.tax?.buyer).toEqual({ named: "ES", located: "ES", region: "Canarias" })
    expect(placed?.tax && taxTotal(placed.tax).tax).toBe(647)
    const again = await visit("ES", {
      path: "/de-de",
      session: { ...session, orderId: null },
      form: { ...form, intent: "pay", country: "ES", region: "Ceuta & Melilla" },
    })
    expect(again.session?.draft?.key).not.toBe(session?.draft?.key)
  })
})

test("a shop that taxes nothing has no choice of a country, and takes none", async () => {
  const untaxed = await openTestShop()
  const services = { ...untaxed.services, countryOf: async () => "DE" }
  const page = await (await respond(services, { path: "/de-de.data" })).text()
  expect(page).not.toContain("Deutschland")
  const pressed = await respond(services, {
    path: "/de-de",
    form: { ...form, intent: "update", country: "AT" },
  })
  expect(pressed.status).toBe(303)
  const plan = await buyPlan(untaxed)
  expect("tax" in plan).toBe(false)
  expect("tax" in invoiceOf(plan)).toBe(false)
  await untaxed.billing.close()
})
