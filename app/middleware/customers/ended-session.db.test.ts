import type { MiddlewareFunction } from "react-router"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import {
  type CheckoutSession,
  emptySession,
  sessionContext,
  signedIn,
  signedOut,
  updateSession,
  withOrder,
} from "~/context/session.server"
import { DAY } from "~/domain/calendar"
import { setPassword } from "~/flows/customers/set-password.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { reopened, runGuard, sealed } from "../../../tests/fixtures/session-harness"
import { NOON, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let own: CheckoutSession
beforeEach(async () => {
  shop = await openTestShop()
  const order = await buyPlan(shop)
  const customer = await shop.services.billing.customerOf("ana@example.test")
  if (!customer) throw new Error("There is no customer")
  const proof = { how: "password", at: NOON } as const
  const browser = { ...emptySession, id: "session1", sealedAt: shop.services.now() }
  own = signedIn(withOrder(browser, order), customer, proof)
})
afterEach(() => shop.billing.close())

/** Chooses a new password on the page of a service, as its action does. */
const newPassword: MiddlewareFunction<Response> = async ({ context }) => {
  const chosen = { password: "a few new words", who: { address: null, visitor: null, authenticated: true } }
  expect(await setPassword(shop.services, context.get(sessionContext), chosen)).toEqual({ kind: "done" })
  updateSession(context, { id: null, sealedAt: shop.services.now() })
}

describe("a copy of a cookie", () => {
  test("shows the session until the browser signs out, then nothing", async () => {
    const copy = sealed(shop, own)
    expect(await runGuard(shop, copy)).toEqual({ shown: 1, cookie: null, now: null })
    const out = await runGuard(shop, copy, { query: "?signout", method: "POST" })
    expect(out.now).toMatchObject({ customer: null, orderId: null, serviceIds: [] })
    const later = await runGuard(shop, copy)
    expect(later.shown).toBe(0)
    expect(later.now).toMatchObject({
      customer: null,
      orderId: null,
      serviceIds: [],
      choices: { email: null },
    })
  })

  test.each([
    ["with an order and its service", {}],
    ["with a service alone, whose order it has left", { orderId: null }],
  ])("of a signed-out browser %s shows nothing after the device is forgotten", async (_, left) => {
    const copy = sealed(shop, { ...own, customer: null, proof: null, ...left })
    expect((await runGuard(shop, copy)).shown).toBe(1)
    const out = await runGuard(shop, copy, { query: "?forget", method: "POST" })
    expect(out.now).toMatchObject({ orderId: null, serviceIds: [], choices: emptySession.choices })
    expect((await runGuard(shop, copy)).shown).toBe(0)
  })

  test("shows nothing after a new password, and the browser that set it stays signed in", async () => {
    const [copy, otherSession] = [sealed(shop, own), sealed(shop, { ...own, id: "session2" })]
    shop.wait(1)
    const chosen = await runGuard(shop, copy, { method: "POST", page: newPassword })
    expect(chosen.now).toMatchObject({ customer: own.customer, proof: own.proof, serviceIds: own.serviceIds })
    expect((await runGuard(shop, copy)).shown).toBe(0)
    expect((await runGuard(shop, otherSession)).shown).toBe(0)
    expect((await runGuard(shop, chosen.cookie ?? "")).shown).toBe(1)
  })

  test("of the previous version is ended like any other", async () => {
    const { id: _, proof: __, orderByProof: ___, ...before } = own
    const copy = shop.services.sessionSeal.seal(JSON.stringify(before))
    expect(await runGuard(shop, copy)).toMatchObject({ shown: 1 })
    // The session is sealed again with an id, and signs out with that.
    const touched: MiddlewareFunction<Response> = ({ context }) => updateSession(context, { currency: "GBP" })
    const { cookie } = await runGuard(shop, copy, { method: "POST", page: touched })
    await runGuard(shop, cookie ?? "", { query: "?signout", method: "POST" })
    expect((await runGuard(shop, copy)).shown).toBe(0)
  })

  test("shows nothing after a sign-out for as long as the cookie itself is accepted", async () => {
    const copy = sealed(shop, own)
    await runGuard(shop, copy, { query: "?signout", method: "POST" })
    shop.wait(30 * DAY)
    await sweep(shop.services, "an instance")
    expect(reopened(shop, copy).serviceIds).toEqual(own.serviceIds)
    expect((await runGuard(shop, copy)).shown).toBe(0)
  })

  test("is not ended by a look at the question whether to forget the device", async () => {
    const copy = sealed(shop, own)
    await expect(runGuard(shop, copy, { query: "?forget" })).rejects.toMatchObject({
      data: { kind: "forget" },
      init: { status: 200 },
    })
    expect((await runGuard(shop, copy)).shown).toBe(1)
  })

  test("is not renewed by pages that do not look the session up", async () => {
    const copy = sealed(shop, own)
    await runGuard(shop, copy, { query: "?signout", method: "POST" })
    shop.wait(20 * DAY)
    const touched: MiddlewareFunction<Response> = ({ context }) => updateSession(context, { currency: "GBP" })
    const { cookie, now } = await runGuard(shop, copy, { pattern: ":locale?", page: touched })
    expect(now?.sealedAt).toBe(own.sealedAt)
    shop.wait(10 * DAY)
    expect((await runGuard(shop, cookie ?? "")).shown).toBe(0)
    shop.wait(2 * DAY)
    await sweep(shop.services, "an instance")
    expect(reopened(shop, cookie ?? "")).toEqual(emptySession)
    expect(await shop.billing.sessions.isEnded({ ...own, id: "session1", asOf: NOON, customer: null })).toBe(
      false,
    )
  })
})

test("signing in as another customer ends the previous customer's session", async () => {
  const copy = sealed(shop, own)
  const another: MiddlewareFunction<Response> = ({ context }) => {
    const ben = {
      id: "c2",
      email: "ben@example.test",
      locale: "en-en",
      currency: "EUR",
      reach: "account",
    } as const
    const proof = { how: "link", at: NOON } as const
    context.set(sessionContext, signedIn(context.get(sessionContext), ben, proof))
  }
  const { now } = await runGuard(shop, copy, { method: "POST", page: another })
  expect(now).toMatchObject({ customer: { id: "c2" }, serviceIds: [] })
  expect((await runGuard(shop, copy)).shown).toBe(0)
})

test("a browser with an empty session from before a new password keeps its new order", async () => {
  const customer = { id: own.customer?.id ?? "", reach: "account" } as const
  shop.wait(1)
  await shop.services.billing.setPassword(customer, "a new password", shop.services.now)
  const before = sealed(shop, { ...emptySession, id: "session3", sealedAt: NOON })
  shop.wait(1)
  const order = await buyPlan(shop, { key: "draft-2" })
  const orders: MiddlewareFunction<Response> = ({ context }) =>
    context.set(sessionContext, withOrder(context.get(sessionContext), order))
  const { cookie } = await runGuard(shop, before, { method: "POST", page: orders })
  expect((await runGuard(shop, cookie ?? "")).shown).toBe(1)
})

test.each([
  [":locale?", {}, false],
  [":locale?/resellers", {}, false],
  [":locale?", { method: "POST" }, true],
  [":locale?", { query: "?resume=a.b" }, true],
  [":locale?/waiting", {}, true],
  [":locale?/creatingOrder", {}, true],
  [":locale?/success", {}, true],
  [":locale?/success/playlist.m3u8", {}, true],
  [":locale?/upsell", {}, true],
  [":locale?/resellers/success", {}, true],
  [":locale?/resellers/waiting", {}, true],
  ["api/order-status", {}, true],
  [":locale?/offline", {}, false],
  ["*", {}, false],
  [":locale?/a-page-of-tomorrow", {}, true],
])("on %s with %o looks the session up: %s", async (pattern, request, lookedUp) => {
  const looks: string[] = []
  const sessions = {
    ...shop.billing.sessions,
    isEnded: async ({ id }: { id: string }) => looks.push(id) < 0,
  }
  Object.assign(shop.services, { sessions })
  await runGuard(shop, sealed(shop, own), { pattern, ...request })
  expect(looks).toEqual(lookedUp ? ["session1"] : [])
})

test("does not look up a session without customer, order or service", async () => {
  const isEnded = () => Promise.reject(new Error("looked up"))
  Object.assign(shop.services, { sessions: { ...shop.billing.sessions, isEnded } })
  expect(
    (await runGuard(shop, sealed(shop, { ...signedOut(own), id: "session4", sealedAt: NOON }))).shown,
  ).toBe(0)
})

test("shows nothing while the session look-up fails", async () => {
  const isEnded = () => Promise.reject(new BillingError("unavailable", "away"))
  Object.assign(shop.services, { sessions: { ...shop.billing.sessions, isEnded } })
  await expect(runGuard(shop, sealed(shop, own))).rejects.toMatchObject({ kind: "unavailable" })
})
