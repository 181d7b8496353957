import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { invoiceOf } from "~/billing-api/contract/orders"
import { decodeSession } from "~/context/session-cookie.server"
import { HOUR } from "~/domain/calendar"
import type { NumberAnswer } from "~/domain/customers/business"
import { money } from "~/domain/money/money"
import { taxTotal } from "~/domain/orders/order-tax"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { changePlan, planChoices } from "~/flows/services/change-plan.server"
import { renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { orderConnection, pay } from "../../../tests/fixtures/purchase"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { answering, FRENCH } from "../../../tests/fixtures/vat-numbers"

let shop: TestShop
/** What the register answers. */
let answer: NumberAnswer
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax })
  answer = "valid"
})
afterEach(() => shop.billing.close())

const company = {
  country: "FR",
  taxNumber: "FR 40 303 265 045",
  company: "Lumière & Fils SARL",
  street: "1 rue de la Paix",
  city: "75002 Paris",
  intent: "save",
}
const cart = {
  plan: "3",
  extraConnection: "on",
  email: choice.email,
  gateway: "offshore",
  promoCode: "",
}

/** A request from France, with the session that the browser has afterwards. */
async function visit(request: Visit) {
  const { now } = shop.services
  const services = {
    ...shop.services,
    countryOf: async () => "FR",
    vatNumbers: answering(answer, now),
  }
  const response = await respond(services, request)
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  return {
    status: response.status,
    location: response.headers.get("location"),
    text: (await response.text()).replaceAll("\u00a0", " "),
    session: (cookie && decodeSession(services.sessionSeal, cookie.split(";", 1)[0], now())) || undefined,
  }
}

const state = (more: Record<string, string> = {}, session?: Visit["session"]) =>
  visit({ path: "/business.data", form: { ...company, ...more }, ...(session && { session }) })

const dataOf = async (path: string, session: Visit["session"]) =>
  (await visit({ path: `${path}.data`, ...(session && { session }) })).text

/** Orders as a business that the page of the business has stored. */
async function order(session: Visit["session"], more: Record<string, string> = {}) {
  const paid = await visit({
    path: "/",
    ...(session && { session }),
    form: { ...cart, intent: "pay", country: "FR", ...more },
  })
  const draft = paid.session?.draft
  const review = await dataOf("/creatingOrder", paid.session)
  await visit({
    path: "/creatingOrder",
    session: { ...paid.session },
    form: { draft: draft?.key ?? "", total: String(draft?.total) },
  })
  return { paid, review, order: await shop.services.billing.orderByIdempotencyKey(draft?.key ?? "") }
}

/** What the next term of a service costs. */
async function renewalPrice(serviceId: string) {
  const service = await shop.services.billing.service(serviceId)
  const candidates = service ? [service] : []
  const [renewal] = await priceRenewals(shop.services, shop.services.billing, { candidates })
  return renewal?.unit.minor
}

describe("a business under reverse charge", () => {
  test("states itself on its page, and sees prices without tax on the checkout", async () => {
    const stated = await state()
    expect(stated.text).toContain("redirect")
    expect(stated.session?.business).toMatchObject({
      company: "Lumière & Fils SARL",
      address: ["1 rue de la Paix", "75002 Paris"],
      taxNumber: FRENCH,
      check: { result: "valid", requestId: "WAPIAAAAY1" },
    })
    const page = await dataOf("/", stated.session)
    expect(page).toContain("Lumière &amp; Fils SARL, VAT number FR40303265045. Reverse charge")
    expect(page).toContain("6583")
    expect(page).not.toContain("7900")
    expect(page).not.toContain("incl. ")
  })

  test("pays the net price, and its order keeps company, number and answer as evidence", async () => {
    const { session } = await state()
    const { review, order: placed } = await order(session)
    expect(review).toContain("For Lumière & Fils SARL, VAT number FR40303265045")
    expect(review).toContain("Reverse charge")
    // 79.00 and 19.90 without 20 %.
    expect(placed?.total.minor).toBe(6_583 + 1_658)
    expect(placed?.tax).toMatchObject({
      place: { kind: "reverse-charge", country: "FR", registration: "DE123456789" },
      buyer: { named: "FR", located: "FR", business: { company: "Lumière & Fils SARL", taxNumber: FRENCH } },
    })
    expect(placed?.tax && taxTotal(placed.tax)).toEqual({ net: 8_241, tax: 0, gross: 8_241 })
    const attempt = placed && (await shop.services.payments.latestAttempt(placed.id))
    expect(attempt?.amount.minor).toBe(8_241)
  })

  test("has a discount without its tax, too", async () => {
    const { session } = await state()
    const { order: placed } = await order(session, { promoCode: "WELCOME10" })
    const sum = placed?.lines.reduce((all, { amount }) => all + amount.minor, 0)
    expect(placed?.lines.at(-1)).toMatchObject({ kind: "discount", amount: { minor: -824 } })
    expect(sum).toBe(placed?.total.minor)
  })

  test("renews at the price without tax as long as it is a business, and at the whole price afterwards", async () => {
    const { session } = await state()
    const { order: placed } = await order(session)
    const serviceId = placed?.serviceId ?? ""
    const terms = await shop.services.billing.renewalTerms(serviceId)
    expect(terms?.price?.minor).toBe(TOTAL)
    expect(await shop.services.billing.businessOf(placed?.customerId ?? "")).toMatchObject({
      taxNumber: FRENCH,
    })
    if (!placed) throw new Error("The order was not placed")
    await pay(shop, placed)
    // One price, rounded once.
    expect(await renewalPrice(serviceId)).toBe(8_242)
    const connection = await orderConnection(shop, serviceId)
    expect([connection.total.minor, connection.tax?.place.kind]).toEqual([1_658, "reverse-charge"])
    await pay(shop, connection)
    expect((await shop.services.billing.renewalTerms(serviceId))?.price?.minor).toBe(TOTAL + 1_990)
    await shop.services.billing.setBusiness(placed.customerId, null)
    expect(await renewalPrice(serviceId)).toBe(TOTAL + 1_990)
  })

  test("is a consumer again once it removes itself", async () => {
    const { session } = await state()
    const removed = await visit({
      path: "/business",
      session: { ...session },
      form: { ...company, intent: "remove" },
    })
    expect(removed.status).toBe(303)
    expect(removed.session?.business).toBeUndefined()
    expect(await dataOf("/", removed.session)).toContain("7900")
  })

  test("whose number nobody has confirmed pays with tax, and is told why", async () => {
    answer = "unanswered"
    const { session } = await state()
    const { review, order: placed } = await order(session)
    expect(review).toContain("isn’t answering")
    expect(placed?.total.minor).toBe(TOTAL)
    expect(placed?.tax?.place).toMatchObject({ kind: "taxed", country: "FR" })
    expect(placed?.tax?.buyer.business?.check).toMatchObject({ result: "unanswered" })
  })
})

test("the billing API's callers get company and number of a business, as WHMCS names them", async () => {
  const { session } = await state()
  const { order: placed } = await order(session)
  expect(placed && invoiceOf(placed)).toMatchObject({
    total: "82.41",
    tax: "0.00",
    companyname: "Lumière & Fils SARL",
    tax_id: FRENCH,
  })
})

describe("a change of plan of a business", () => {
  test("costs what it is without tax, and the service keeps the catalogue's price", async () => {
    const { session } = await state()
    const { order: placed } = await order(session, { plan: "1" })
    if (!placed) throw new Error("The order was not placed")
    await pay(shop, placed)
    shop.wait(26 * HOUR)
    const { billing, now } = shop.services
    const services = { ...shop.services, vatNumbers: answering("valid", now) }
    const service = await billing.service(placed.serviceId)
    const at = now()
    const choices = service && (await planChoices(services, billing, { service, at }))
    const change = choices?.changes.find(({ productId }) => productId === "3")
    if (!service || change?.when !== "now") throw new Error("The plan cannot be changed now")
    expect(change.price.minor).toBe(TOTAL)
    // A term of the new plan without 20 %, rounded once.
    expect(change.charge.minor).toBe(8_242)
    const placement = await changePlan(services, {
      customer: null,
      key: "change-1",
      gateway: "offshore",
      locale: "en-en",
      address: null,
      country: "FR",
      browser: null,
      orderId: null,
      service,
      shown: { productId: "3", cycle: change.cycle, price: change.price.minor, at, due: change.due.minor },
    })
    if (placement.kind !== "placed") throw new Error(placement.reason)
    expect(placement.order.total).toEqual(change.due)
    expect(placement.order.tax?.place.kind).toBe("reverse-charge")
    await openPayment(services, placement.order, { gateway: "offshore", coin: null })
    await pay(shop, placement.order)
    expect((await billing.renewalTerms(service.id))?.price?.minor).toBe(TOTAL)
  })
})

test("a renewal from account credit takes the price without tax from a business", async () => {
  const { session } = await state()
  const { order: placed } = await order(session)
  if (!placed) throw new Error("The order was not placed")
  await pay(shop, placed)
  const { billing } = shop.services
  const { customerId, serviceId } = placed
  const service = await billing.service(serviceId)
  const grant = { key: "g1", amount: money(8_242, "EUR"), reason: "test", at: shop.services.now() }
  await shop.billing.operator.grantAccountCredit(customerId, grant)
  await billing.setBalanceRenewal(serviceId, true, shop.services.now())
  shop.wait((service?.paidUntil ?? 0) - shop.services.now() + 1)
  await renewFromBalances({ ...shop.services, vatNumbers: answering("valid", shop.services.now) }, "test")
  const [renewal] = await billing.paidOrdersOf(serviceId, 1)
  expect([renewal?.kind, renewal?.total.minor, renewal?.tax?.place.kind]).toEqual([
    "renewal",
    8_242,
    "reverse-charge",
  ])
})

describe("the page of the business", () => {
  test("says nothing of a business in a shop that taxes nothing", async () => {
    const untaxed = await openTestShop()
    expect((await respond(untaxed.services, { path: "/business" })).status).toBe(404)
    expect((await respond(untaxed.services, { path: "/business", form: company })).status).toBe(404)
    await untaxed.billing.close()
  })

  test("is reached from the checkout, which keeps what was filled in", async () => {
    const pressed = await visit({ path: "/de-de", form: { ...cart, intent: "business", country: "AT" } })
    expect(pressed).toMatchObject({ status: 303, location: "/checkout/de-de/business" })
    expect(pressed.session?.choices).toMatchObject({ plan: "3", email: choice.email, extraConnection: true })
    expect(pressed.session?.country).toBe("AT")
  })

  test("leads back to the reseller checkout that it was opened from", async () => {
    const pressed = await visit({ path: "/resellers", form: { intent: "business", country: "FR" } })
    expect(pressed.location).toBe("/checkout/business?resellers")
    const saved = await visit({ path: "/business?resellers", form: company })
    expect(saved.location).toBe("/checkout/resellers")
  })

  test.each<[string, Record<string, string>, string, number]>([
    ["wrong check digits", { taxNumber: "FR40303265046" }, "This isn’t a VAT number", 422],
    ["the number of another country", { country: "AT" }, "The country of this number is France, but", 422],
    ["a Greek number and Cyprus", { country: "CY", taxNumber: "EL094259216" }, "is Greece, but", 422],
    [
      "a number of Northern Ireland and Ireland",
      { country: "IE", taxNumber: "XI980780684" },
      "Kingdom, but",
      422,
    ],
    ["no company", { company: "  " }, "Please fill this in.", 400],
    ["no street", { street: "" }, "Please fill this in.", 400],
    ["a company's name that is too long", { company: "é".repeat(101) }, "This is too long.", 400],
    ["texts that fit no cookie", { company: "語".repeat(90), street: "語".repeat(80) }, "too long.", 400],
  ])("refuses %s at its field, and keeps what was typed", async (_, wrong, message, status) => {
    const refused = await state({ city: "75002 Paris 2e", ...wrong })
    expect(refused.status).toBe(status)
    expect(refused.text).toContain(message)
    expect(refused.text).toContain("75002 Paris 2e")
    expect(refused.session?.business).toBeUndefined()
  })

  test("refuses a number that the register does not know", async () => {
    answer = "invalid"
    const refused = await state()
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("The register of VAT numbers doesn’t know this number")
  })

  test("comes back before the order if another country is chosen", async () => {
    const { session } = await state()
    const { paid } = await order(session, { country: "AT" })
    expect(paid).toMatchObject({ status: 303, location: "/checkout/business" })
    expect(await dataOf("/business", paid.session)).toContain(
      "The country of this number is France, but the country chosen is Austria",
    )
  })
})

describe("the business of an account", () => {
  test("is not changed by somebody who types its e-mail", async () => {
    const { session } = await state()
    const { order: own } = await order(session)
    const other = await state({ company: "Somebody else" })
    await order(other.session)
    expect(await shop.services.billing.businessOf(own?.customerId ?? "")).toMatchObject({
      company: "Lumière & Fils SARL",
    })
  })

  test("is erased with the customer; number and answer stay with the order", async () => {
    const { session } = await state()
    const { order: placed } = await order(session)
    const { customerId = "", id = "" } = placed ?? {}
    await shop.billing.operator.eraseCustomer([customerId], { force: true })
    expect(await shop.services.billing.businessOf(customerId)).toBeNull()
    const business = (await shop.services.billing.order(id))?.tax?.buyer.business
    expect(business).toMatchObject({
      company: "",
      address: [],
      taxNumber: FRENCH,
      check: { result: "valid" },
    })
  })
})
