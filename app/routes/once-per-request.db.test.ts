import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { DAY } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { startResellerReview } from "~/flows/resellers/start-reseller-review.server"
import { buy, buyPlan, pay, request } from "../../tests/fixtures/purchase"
import { respond, type Visit } from "../../tests/fixtures/shop-router"
import { choice, openTestShop, pricing, type TestShop, TOTAL } from "../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** Ports whose calls reach the database or the external billing. */
const ports = ["billing", "payments", "sessions", "mails", "dunning"] as const

/** Calls of the ports during one request, each with its arguments. */
async function callsOf(visit: Visit): Promise<readonly string[]> {
  const calls: string[] = []
  const counted = Object.fromEntries(
    ports.map((name) => [name, countedPort(shop.services[name], name, calls)]),
  )
  const response = await respond({ ...shop.services, ...counted }, visit)
  await response.text()
  expect(response.status).toBeLessThan(400)
  return calls
}

function countedPort<P extends object>(port: P | null, name: string, calls: string[]): P | null {
  if (port === null) return null
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== "function") return member
      return (...args: unknown[]) => {
        calls.push(`${name}.${String(key)} ${JSON.stringify(args)}`)
        return member.apply(target, args)
      }
    },
  })
}

const seller = { email: "dora@example.test", password: "correct horse battery staple" }

async function reseller() {
  const started = await startResellerReview(shop.services, {
    key: "dora",
    plan: "12",
    gateway: "offshore",
    coin: null,
    promoCode: null,
    locale: "en-en",
    buyer: { kind: "new", ...seller },
    agreed: { code: null, shown: undefined },
    pricing,
    who: { address: null, visitor: null, authenticated: false },
  })
  if (started.kind !== "ready") throw new Error(`not begun: ${started.kind}`)
  const { choices, key, total, customer } = started
  const placed = await placeOrder(shop.services, request({ choices, key, customer, agreedTotal: total }))
  if (placed.kind !== "placed" || !customer) throw new Error("The order was not placed")
  await openPayment(shop.services, placed.order, { gateway: "offshore", coin: null })
  await pay(shop, placed.order)
  return { order: placed.order, customer }
}

const now = () => shop.services.now()
const sessionOf = (order: Order | null) => ({
  ...emptySession,
  id: "session1",
  sealedAt: now(),
  visitor: "v1",
  choices: choice,
  orderId: order?.id ?? null,
  serviceIds: order ? [order.serviceId] : [],
})

async function signedIn(order: Order, email = choice.email) {
  const customer = await shop.services.billing.customerOf(email)
  if (!customer) throw new Error("There is no customer")
  const { id, currency } = customer
  return {
    ...sessionOf(order),
    customer: { id, email, currency, reach: "account" as const },
    proof: { how: "password" as const, at: now() },
  }
}

async function timeLeft({ serviceId }: Order): Promise<number> {
  const service = await shop.services.billing.service(serviceId)
  return (service?.paidUntil ?? 0) - now()
}

const payForm = {
  intent: "pay",
  plan: "3",
  email: choice.email,
  gateway: "offshore",
  extraConnection: "on",
  promoCode: "WELCOME10",
  shown: "9890",
}

/** Requests by name, of every screen and of the URLs that carry a session; each prepares its own state first. */
const visits: Record<string, () => Promise<Visit>> = {
  "GET checkout": async () => ({ path: "/", session: sessionOf(null) }),
  "GET checkout with a promo code": async () => ({
    path: "/",
    session: { ...sessionOf(null), choices: { ...choice, promoCode: "WELCOME10" } },
  }),
  "GET checkout from a link with a promo code": async () => ({ path: "/?promocode=WELCOME10&pid=3" }),
  "GET checkout from an auto-redirect link": async () => ({
    path: `/?promocode=WELCOME10&pid=3&email=${choice.email}&auto_redirect=true`,
  }),
  "POST checkout, apply": async () => ({
    path: "/",
    session: sessionOf(null),
    form: { ...payForm, intent: "apply-promo" },
  }),
  "POST checkout, pay": async () => ({ path: "/", session: sessionOf(null), form: payForm }),
  "POST checkout, pay with the code applied before": async () => ({
    path: "/",
    session: { ...sessionOf(null), choices: { ...choice, promoCode: "WELCOME10" } },
    form: { ...payForm, promoCode: "" },
  }),
  "POST checkout, pay beside an open order": async () => {
    const { order } = await buy(shop)
    return { path: "/", session: sessionOf(order), form: payForm }
  },
  "GET creatingOrder": async () => ({
    path: "/creatingOrder",
    session: { ...sessionOf(null), draft: { key: "d1", total: TOTAL } },
  }),
  "POST creatingOrder": async () => ({
    path: "/creatingOrder",
    session: { ...sessionOf(null), draft: { key: "d1", total: TOTAL } },
    form: { draft: "d1", total: String(TOTAL) },
  }),
  "GET creatingOrder of a placed order": async () => {
    const placed = await placeOrder(shop.services, request())
    if (placed.kind !== "placed") throw new Error("The order was not placed")
    return { path: "/creatingOrder", session: sessionOf(placed.order) }
  },
  "POST creatingOrder of a placed order": async () => {
    const placed = await placeOrder(shop.services, request())
    if (placed.kind !== "placed") throw new Error("The order was not placed")
    const { id } = placed.order
    return {
      path: "/creatingOrder",
      session: sessionOf(placed.order),
      form: { draft: id, total: String(TOTAL) },
    }
  },
  "GET waiting": async () => ({ path: "/waiting", session: sessionOf((await buy(shop)).order) }),
  "GET waiting, polling the gateway": async () => {
    const { order } = await buy(shop)
    shop.wait(60_000)
    return { path: "/waiting", session: sessionOf(order) }
  },
  "POST waiting, another gateway": async () => ({
    path: "/waiting",
    session: sessionOf((await buy(shop)).order),
    form: { intent: "gateway", gateway: "coinbase" },
  }),
  "POST waiting, abort": async () => ({
    path: "/waiting",
    session: sessionOf((await buy(shop)).order),
    form: { intent: "abort" },
  }),
  "GET success": async () => ({ path: "/success", session: sessionOf(await buyPlan(shop)) }),
  "GET success, signed in": async () => ({ path: "/success", session: await signedIn(await buyPlan(shop)) }),
  "GET success near the end of the paid time": async () => {
    const order = await buyPlan(shop)
    shop.wait((await timeLeft(order)) - DAY)
    return { path: "/success", session: await signedIn(order) }
  },
  "GET success after the end of the paid time": async () => {
    const order = await buyPlan(shop)
    shop.wait((await timeLeft(order)) + DAY)
    return { path: "/success", session: await signedIn(order) }
  },
  "GET success with two services": async () => {
    await buyPlan(shop)
    return { path: "/success?services", session: await signedIn(await buyPlan(shop, { key: "second" })) }
  },
  "GET account": async () => ({ path: "/success?account", session: await signedIn(await buyPlan(shop)) }),
  "GET change of plan": async () => ({ path: "/success?plan", session: await signedIn(await buyPlan(shop)) }),
  "POST success, renewal": async () => {
    const order = await buyPlan(shop)
    const form = { intent: "renew", serviceid: order.serviceId, cycles: "1", gateway: "offshore", key: "r1" }
    return { path: "/success", session: await signedIn(order), form }
  },
  "POST success, notes": async () => {
    const order = await buyPlan(shop)
    const form = { intent: "notes", serviceid: order.serviceId, notes: "the living room" }
    return { path: "/success", session: await signedIn(order), form }
  },
  "POST success, upsell": async () => {
    const order = await buyPlan(shop)
    const form = {
      intent: "upsell",
      serviceid: order.serviceId,
      quantity: "1",
      gateway: "offshore",
      key: "u1",
    }
    return { path: "/success", session: await signedIn(order), form }
  },
  "GET upsell": async () => {
    const { order } = await reseller()
    return {
      path: "/upsell",
      session: { ...(await signedIn(order, seller.email)), serviceId: order.serviceId },
    }
  },
  "POST upsell": async () => {
    const { order } = await reseller()
    const session = { ...(await signedIn(order, seller.email)), serviceId: order.serviceId }
    const form = { serviceid: order.serviceId, quantity: "1", gateway: "offshore", key: "u1" }
    return { path: "/upsell", session, form }
  },
  "GET resellers": async () => ({ path: "/resellers", session: sessionOf(null) }),
  "GET resellers, signed in": async () => {
    const { order } = await reseller()
    return { path: "/resellers", session: await signedIn(order, seller.email) }
  },
  "POST resellers, pay": async () => ({
    path: "/resellers",
    session: sessionOf(null),
    form: {
      intent: "pay",
      plan: "12",
      gateway: "offshore",
      key: "f1",
      existing: "no",
      email: seller.email,
      newPassword: seller.password,
      confirmPassword: seller.password,
      promoCode: "",
    },
  }),
  "GET resellers/success": async () => {
    const { order } = await reseller()
    return { path: "/resellers/success", session: await signedIn(order, seller.email) }
  },
  "POST resellers/success, line": async () => {
    const { order } = await reseller()
    const form = { intent: "line", serviceid: order.serviceId, key: "l1", notes: "" }
    return { path: "/resellers/success", session: await signedIn(order, seller.email), form }
  },
  "GET order-status": async () => ({
    path: "/api/order-status",
    session: sessionOf((await buy(shop)).order),
  }),
  "GET order-status of a service": async () => {
    const order = await buyPlan(shop)
    return { path: `/api/order-status?serviceid=${order.serviceId}`, session: sessionOf(order) }
  },
  "GET playlist": async () => ({ path: "/success/playlist.m3u8", session: sessionOf(await buyPlan(shop)) }),
}

/** Calls that a request repeats, and why it has to. */
const rereads: Record<string, readonly string[]> = {
  // The guard has read the order; a callback may have changed it while the gateway was asked.
  "GET waiting, polling the gateway": ["billing.order"],
  // The payments to close are those that are open after the new one was opened.
  "POST waiting, another gateway": ["payments.openAttempts"],
  // A payment may have been opened before the order was cancelled.
  "POST waiting, abort": ["payments.openAttempts"],
}

test.each(Object.entries(visits))("%s reads nothing twice", async (name, prepare) => {
  const calls = await callsOf(await prepare())
  const repeated = calls.filter((call, at) => calls.indexOf(call) < at).map((call) => call.split(" ")[0])
  expect(repeated).toEqual(rereads[name] ?? [])
})
