import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, SECOND } from "~/domain/calendar"
import { shownField } from "~/domain/forms/renewal-fields"
import { defaultLocale } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { renewalLink } from "~/flows/services/renewal-link.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { moneyText } from "~/ui/layout/format"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { customerSession, sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
let link: string
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
  link = await linkOf(bought.serviceId)
})
afterEach(() => shop.billing.close())

async function linkOf(serviceId: string): Promise<string> {
  const path = await renewalLink(shop.services, serviceId)
  if (path === null) throw new Error("There is no link")
  return path
}

const service = async () => {
  const found = await shop.services.billing.service(bought.serviceId)
  if (!found?.paidUntil) throw new Error("There is no term")
  return { ...found, paidUntil: found.paidUntil }
}

/** The data of a page, as the browser gets it. */
async function dataOf(visit: Visit): Promise<string> {
  const [path, query] = visit.path.split("?")
  const response = await respond(shop.services, { ...visit, path: `${path}.data${query ? `?${query}` : ""}` })
  return response.text()
}

const form = () => ({
  intent: "renew",
  key: "form-1",
  serviceid: bought.serviceId,
  cycles: "1",
  gateway: "offshore",
  [shownField(bought.serviceId, 1)]: String(TOTAL),
})

/** Sends the form of the link in a browser that knows nothing; returns its session afterwards. */
async function ordered(
  path = link,
  changes: Record<string, string> = {},
  before: NonNullable<Visit["session"]> = {},
) {
  const response = await respond(shop.services, { path, form: { ...form(), ...changes }, session: before })
  return { response, session: sessionLeft(shop, response) }
}

async function orderOf(id: string | null): Promise<Order> {
  const order = id && (await shop.services.billing.order(id))
  if (!order) throw new Error("There is no order")
  return order
}

test("a link shows the renewal of its service to anybody, and neither e-mail nor login details", async () => {
  const { username, password } = await service()
  const response = await respond(shop.services, { path: link })
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-store"])
  expect(response.headers.getSetCookie().join()).not.toContain("checkout=")
  const data = await dataOf({ path: link })
  expect(data).toContain("a…@example.test")
  expect(data).toContain("Renew until")
  for (const secret of [choice.email ?? "", username, password]) expect(data).not.toContain(secret)
})

test("anybody with the link pays the next term, and gets no access by it", async () => {
  const { paidUntil, username, password } = await service()
  const { response, session } = await ordered()
  expect(response.headers.get("location")).toMatch(/^https:\/\/pay\.test\//)
  const order = await orderOf(session.orderId)
  expect(order).toMatchObject({ kind: "renewal", customerId: bought.customerId, accessScope: null })
  expect(session).toMatchObject({ customer: null, serviceIds: [], serviceId: null })
  const waiting = await dataOf({ path: "/waiting", session })
  expect(waiting).toContain("a…@example.test")
  expect(waiting).not.toContain("serviceid")
  await pay(shop, order)
  expect((await service()).paidUntil).toBeGreaterThan(paidUntil + 364 * DAY)
  const done = await respond(shop.services, { path: "/success", session })
  expect(done.headers.get("location")).toBe("/checkout/renew")
  const data = await dataOf({ path: "/renew", session })
  expect(data).toContain("Paid, thank you")
  for (const secret of [choice.email ?? "", username, password]) {
    expect(data).not.toContain(secret)
    expect(await dataOf({ path: "/waiting", session: { orderId: order.id } })).not.toContain(secret)
  }
})

test.each<[string, (order: Order) => Visit]>([
  [
    "the page of the link",
    ({ id: orderId }) => ({ path: link, session: { orderId, sealedAt: shop.services.now() } }),
  ],
  [
    "the customer's own page",
    ({ id: orderId }) => ({
      path: "/success?renew",
      session: customerSession(shop, bought, { orderId, serviceId: bought.serviceId }),
    }),
  ],
])(
  "shortly before the end %s offers to pay the rest of a partly paid renewal, and another one as an addition",
  async (_, visitOf) => {
    shop.wait((await service()).paidUntil - DAY - shop.services.now())
    const { session } = await ordered()
    const order = await orderOf(session.orderId)
    shop.gateway.reports("partially-paid", 20_00)
    shop.wait(3 * SECOND)
    await pollOrderPayment(shop.services, order.id)
    const page = await dataOf(visitOf(order))
    expect(page).toContain(`"${enEn.unpaid.payRest.replace("{{amount}}", "€78.90")}"`)
    expect(page).toContain(`"${enEn.renewal.another}"`)
    expect(page).toContain(enEn.renewal.inAddition.replace("{{order}}", order.id))
  },
)

test("a renewal whose payment became account credit is confirmed to nobody as a renewal", async () => {
  const { session } = await ordered()
  const order = await orderOf(session.orderId)
  shop.wait(1)
  await pay(shop, await orderConnection(shop, bought.serviceId))
  shop.wait(1)
  await pay(shop, order)
  expect(await orderOf(order.id)).toMatchObject({ status: "active", credited: order.total })
  const byLink = await dataOf({ path: "/renew", session })
  expect(byLink).toContain("had changed by the time the payment arrived")
  expect(byLink).not.toContain("Your login details stay the same")
  const own = await dataOf({
    path: "/success",
    session: customerSession(shop, bought, { orderId: order.id }),
  })
  expect(own).toContain(`${moneyText(order.total, defaultLocale)} of account credit added`)
  expect(own).toContain("had changed by the time the payment arrived")
})

test("a service that is stopped after its renewal is not shown as renewed", async () => {
  const { session } = await ordered()
  const order = await orderOf(session.orderId)
  await pay(shop, order)
  const look = () =>
    dataOf({ path: "/success", session: customerSession(shop, bought, { orderId: order.id }) })
  expect(await look()).toContain("Renewed until")
  const at = shop.services.now()
  await shop.billing.operator.suspendService(bought.serviceId, { owner: "operator", reason: "sharing", at })
  const paused = await look()
  expect(paused).toContain('"Paused"')
  expect(paused).not.toContain("Renewed until")
})

test("anybody with the link gets neither proforma nor invoice, which name the customer", async () => {
  await shop.billing.close()
  shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
  bought = await buyPlan(shop)
  link = await linkOf(bought.serviceId)
  const { session } = await ordered()
  const order = await orderOf(session.orderId)
  const statusAt = async (path: string, of: Visit["session"]) =>
    (await respond(shop.services, { path, session: { ...session, ...of } })).status
  expect(await dataOf({ path: "/waiting", session })).not.toContain("documents/proforma")
  const proforma = `/documents/proforma/${order.id}`
  expect(await statusAt(proforma, {})).toBe(404)
  expect(await statusAt(proforma, { serviceIds: [bought.serviceId] })).toBe(200)
  await pay(shop, order)
  const [invoice] = await shop.services.documents.taxDocumentsOf(order.id)
  expect(await statusAt(`/documents/${invoice?.number}`, {})).toBe(404)
  expect(await statusAt(`/documents/${invoice?.number}`, { serviceIds: [bought.serviceId] })).toBe(200)
})

test("who has paid a part and opens the link again reads what is left, and nobody else does", async () => {
  const { session } = await ordered()
  const order = await orderOf(session.orderId)
  await pay(shop, order, TOTAL - 2_40)
  const shown = await dataOf({ path: link, session })
  expect(shown).toContain(`"${order.id}"`)
  expect(shown).toMatch(/\b240\b/)
  for (const other of [{}, { orderId: bought.id }])
    expect(await dataOf({ path: link, session: other })).not.toContain(order.id)
})

test("a payer who cancels the order returns to the link", async () => {
  const { session } = await ordered()
  const response = await respond(shop.services, { path: "/waiting", form: { intent: "abort" }, session })
  expect(response.headers.get("location")).toMatch(/^\/checkout\/renew\?renewal=/)
  expect((await orderOf(session.orderId)).status).toBe("cancelled")
})

test("a link renews its own service alone, and nothing else by its page", async () => {
  const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
  const foreign = { serviceid: other.serviceId, [shownField(other.serviceId, 1)]: String(TOTAL) }
  const forged: Record<string, string>[] = [foreign, { also: other.serviceId }]
  for (const changes of forged.concat({ intent: "decline" }, { intent: "balance-on" }))
    expect((await ordered(link, changes)).response.status).toBe(404)
  expect(await service()).toMatchObject({ declinedAt: null, balanceRenewal: false })
})

test.each<[string, (token: string) => Promise<string> | string]>([
  ["is forged", (token) => `${token.slice(0, -3)}xxx`],
  ["is of another service", (token) => token.replace(bought.serviceId, "name1")],
  [
    "is too old",
    async (token) => {
      shop.wait(365 * DAY + (3 + 14 + 3 + 1) * DAY)
      return token
    },
  ],
  [
    "has been used",
    async (token) => {
      const { session } = await ordered()
      await pay(shop, await orderOf(session.orderId))
      return token
    },
  ],
])(
  "a link that %s leads to the sign-in, and to their services those who are signed in",
  async (_, change) => {
    const path = await change(link)
    expect((await respond(shop.services, { path })).status).toBe(401)
    expect((await ordered(path)).response.status).toBe(401)
    const customer = {
      id: bought.customerId,
      email: choice.email ?? "",
      currency: "EUR" as const,
      reach: "account" as const,
    }
    const proof = { how: "password" as const, at: shop.services.now() }
    const session = { id: "s1", customer, proof, sealedAt: shop.services.now() }
    const own = await respond(shop.services, { path, session })
    expect([own.status, own.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(/^\/checkout\/success\?serviceid=/),
    ])
  },
)

test("a link works until the service would be terminated, and as long again as its grace", async () => {
  const { paidUntil } = await service()
  shop.wait(paidUntil - shop.services.now() + (3 + 14 + 3) * DAY - 1_000)
  expect((await respond(shop.services, { path: link })).status).toBe(200)
  shop.wait(1_000)
  expect((await respond(shop.services, { path: link })).status).toBe(401)
})

test("days that the operator gives leave a link as it is", async () => {
  await shop.billing.operator.extendService(bought.serviceId, {
    days: 10,
    reason: "outage",
    at: shop.services.now(),
  })
  expect((await respond(shop.services, { path: link })).status).toBe(200)
})

test("the same renewal from two browsers is one order, and an order of the signed-in customer is not handed to others", async () => {
  const [one, another] = [await ordered(), await ordered(link, { key: "form-2" })]
  expect(another.session.orderId).toBe(one.session.orderId)
  const three = { cycles: "2", [shownField(bought.serviceId, 2)]: String(2 * TOTAL), key: "form-3" }
  const longer = await ordered(link, three)
  expect(longer.session.orderId).not.toBe(one.session.orderId)
  const customer = {
    id: bought.customerId,
    email: choice.email ?? "",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  const proof = { how: "password" as const, at: shop.services.now() }
  const signedIn = { id: "s1", customer, proof, sealedAt: shop.services.now() }
  const own = await ordered("/success", { key: "form-4" }, signedIn)
  expect(own.session.orderId).toBe(one.session.orderId)
  await shop.services.billing.applyOrderEvent(one.session.orderId ?? "", "aborted", shop.services.now())
  const theirs = await ordered("/success", { key: "form-5" }, signedIn)
  expect(theirs.session.orderId).not.toBe(one.session.orderId)
  const other = await ordered(link, { key: "form-6" })
  expect(other.session.orderId).not.toBe(theirs.session.orderId)
})

test("two payments of one renewal are one term and account credit", async () => {
  const { paidUntil, cycle, term } = await service()
  const { session } = await ordered()
  await ordered(link, { key: "form-2" })
  const order = await orderOf(session.orderId)
  shop.gateway.reports("paid", 2 * TOTAL)
  shop.wait(3_000)
  await pollOrderPayment(shop.services, order.id)
  const renewed = await service()
  expect(renewed.term?.count).toBe((term?.count ?? 0) + 1)
  expect(cycle && renewed.paidUntil > paidUntil).toBe(true)
  expect(await shop.services.payments.accountCredit(bought.customerId, "EUR")).toMatchObject({ minor: TOTAL })
})
