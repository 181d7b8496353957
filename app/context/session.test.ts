import { expect, test } from "vitest"
import { LINK_PERIOD } from "~/domain/customers/sign-in-request"
import {
  askingToSignIn,
  type CheckoutSession,
  emptySession,
  forgotten,
  isFirstLook,
  isKnownBrowser,
  pendingSignInOf,
  signedIn,
  signedOut,
  withAuthenticatedOrder,
  withFirstLook,
  withOrder,
  withResumedOrder,
} from "./session.server"

const NOW = 1_800_000_000_000
const ana = {
  id: "c1",
  email: "ana@example.test",
  locale: "en-en",
  currency: "GBP",
  reach: "account",
} as const
const order = { id: "K7QM2XDT93", kind: "plan", serviceId: "s1" } as const
const proof = { how: "password", at: NOW } as const

test("a new order replaces the current order and the selected service", () => {
  const before = { ...emptySession, orderId: "OLD", serviceId: "s0", serviceIds: ["s0"] }
  expect(withOrder(before, order)).toMatchObject({
    orderId: "K7QM2XDT93",
    serviceId: null,
    serviceIds: ["s1", "s0"],
  })
})

test("a session keeps the services bought last, each once", () => {
  let remembered = withOrder(withOrder(emptySession, order), order)
  expect(remembered.serviceIds).toEqual(["s1"])
  for (let at = 0; at < 20; at++)
    remembered = withOrder(remembered, { id: `o${at}`, kind: "plan", serviceId: `t${at}` })
  expect(remembered.serviceIds).toHaveLength(8)
  expect(remembered.serviceIds[0]).toBe("t19")
})

test("signing in keeps the choices of the session, with the customer's own e-mail", () => {
  const before = { ...emptySession, orderId: "K7QM2XDT93", choices: { ...emptySession.choices, plan: "3" } }
  expect(signedIn(before, ana, proof)).toMatchObject({
    orderId: "K7QM2XDT93",
    choices: { plan: "3", email: "ana@example.test" },
    customer: { id: "c1", currency: "GBP" },
  })
})

test("another customer in the same browser gets nothing of the previous customer's session", () => {
  const before = withOrder(signedIn(emptySession, ana, proof), order)
  const after = signedIn(before, { ...ana, id: "c2", email: "ben@example.test" }, proof)
  expect(after).toMatchObject({ orderId: null, serviceIds: [], customer: { id: "c2" } })
})

test("signing out removes customer, e-mail, order and services, and keeps the chosen plan", () => {
  const before = withOrder(signedIn(emptySession, ana, proof), order)
  const chosen = { ...before, currency: "GBP" as const, choices: { ...before.choices, plan: "3" } }
  const kept = { knownAccount: expect.any(String), choices: { ...emptySession.choices, plan: "3" } }
  expect(signedOut(chosen)).toEqual({ ...emptySession, ...kept })
  expect(JSON.stringify(signedOut(chosen))).not.toContain(ana.email)
  const isKnown = (session: CheckoutSession) =>
    [ana.email, "ben@example.test"].map((it) => isKnownBrowser(session, it))
  expect(isKnown(signedOut(signedOut(chosen)))).toEqual([true, false])
  expect(isKnown(forgotten(signedOut(chosen)))).toEqual([false, false])
})

test("an upsell does not make a service the browser's own, unless its buyer returns in this browser", () => {
  const upsell = { id: "UPSELL", kind: "upsell", serviceId: "s7" } as const
  expect(withOrder(emptySession, upsell)).toMatchObject({ orderId: "UPSELL", serviceIds: [] })
  expect(withResumedOrder(emptySession, upsell)).toMatchObject({ orderId: "UPSELL", serviceIds: ["s7"] })
})

test("a renewal gives no browser access to its service, since anybody with its link may place it", () => {
  const renewal = { id: "RENEWAL", kind: "renewal", serviceId: "s7" } as const
  expect(withResumedOrder(emptySession, renewal)).toMatchObject({ orderId: "RENEWAL", serviceIds: [] })
})

test("an order opened by its authenticated owner is the current order and gives no further access", () => {
  const before = withOrder(emptySession, order)
  expect(withAuthenticatedOrder(before, { id: "LATER" })).toMatchObject({
    orderId: "LATER",
    orderByProof: true,
    serviceIds: ["s1"],
  })
  expect(withOrder(withAuthenticatedOrder(before, { id: "LATER" }), order)).toMatchObject({
    orderByProof: false,
  })
})

test("a forgotten device keeps only the id that rate limits count", () => {
  const before = {
    ...withOrder(signedIn(emptySession, ana, proof), order),
    visitor: "v1",
    currency: "GBP" as const,
  }
  expect(forgotten(before)).toEqual({ ...emptySession, visitor: "v1" })
})

test("a requested sign-in is pending until its link has expired", () => {
  const request = { id: "r1", email: "ana@example.test", at: NOW, path: null }
  const asking = askingToSignIn(emptySession, { ...request, sessionId: "n1" })
  expect(asking.id).toBe("n1")
  expect(pendingSignInOf(asking, NOW + LINK_PERIOD - 1)).toEqual(request)
  expect(pendingSignInOf(asking, NOW + LINK_PERIOD)).toBeNull()
  expect(pendingSignInOf(emptySession, NOW)).toBeNull()
})

test("signing out and forgetting the device remove a requested sign-in", () => {
  const request = { id: "r1", email: "ana@example.test", at: NOW, path: null, sessionId: "n1" }
  const asking = askingToSignIn(emptySession, request)
  expect([signedOut(asking).pendingSignIn, forgotten(asking).pendingSignIn]).toEqual([null, null])
})

test("the first look at an order's service lasts a minute, for pages that load twice, and belongs to this order", () => {
  expect(isFirstLook(emptySession, "A", NOW)).toBe(true)
  const seen = withFirstLook(emptySession, "A", NOW)
  expect(isFirstLook(seen, "A", NOW + 59_000)).toBe(true)
  expect(withFirstLook(seen, "A", NOW + 59_000)).toBe(seen)
  expect(isFirstLook(seen, "A", NOW + 60_000)).toBe(false)
  expect(isFirstLook(seen, "B", NOW + 60_000)).toBe(true)
})
