import { expect, test } from "vitest"
import {
  emptySession,
  forgotten,
  signedIn,
  signedOut,
  withAuthenticatedOrder,
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

test("a new order takes the place of the one in hand, and of the service that was looked at", () => {
  const before = { ...emptySession, orderId: "OLD", serviceId: "s0", serviceIds: ["s0"] }
  expect(withOrder(before, order)).toMatchObject({
    ...{ orderId: "K7QM2XDT93", serviceId: null, serviceIds: ["s1", "s0"] },
  })
})

test("a browser remembers the services it bought last, each once", () => {
  let remembered = withOrder(withOrder(emptySession, order), order)
  expect(remembered.serviceIds).toEqual(["s1"])
  for (let at = 0; at < 20; at++)
    remembered = withOrder(remembered, { id: `o${at}`, kind: "plan", serviceId: `t${at}` })
  expect(remembered.serviceIds).toHaveLength(8)
  expect(remembered.serviceIds[0]).toBe("t19")
})

test("who signs in keeps what this browser was about to do, with his own e-mail", () => {
  const before = { ...emptySession, orderId: "K7QM2XDT93", choices: { ...emptySession.choices, plan: "3" } }
  expect(signedIn(before, ana, proof)).toMatchObject({
    orderId: "K7QM2XDT93",
    choices: { plan: "3", email: "ana@example.test" },
    customer: { id: "c1", currency: "GBP" },
  })
})

test("another customer in the same browser gets nothing of the one before", () => {
  const before = withOrder(signedIn(emptySession, ana, proof), order)
  const after = signedIn(before, { ...ana, id: "c2", email: "ben@example.test" }, proof)
  expect(after).toMatchObject({ orderId: null, serviceIds: [], customer: { id: "c2" } })
})

test("signing out forgets customer, e-mail, order and services; the plan that was chosen stays", () => {
  const before = withOrder(signedIn(emptySession, ana, proof), order)
  const chosen = { ...before, currency: "GBP" as const, choices: { ...before.choices, plan: "3" } }
  expect(signedOut(chosen)).toEqual({ ...emptySession, choices: { ...emptySession.choices, plan: "3" } })
})

test("more for a service makes it no more this browser's own than it was, unless its buyer comes back here", () => {
  const upsell = { id: "UPSELL", kind: "upsell", serviceId: "s7" } as const
  expect(withOrder(emptySession, upsell)).toMatchObject({ orderId: "UPSELL", serviceIds: [] })
  expect(withResumedOrder(emptySession, upsell)).toMatchObject({ orderId: "UPSELL", serviceIds: ["s7"] })
})

test("an order that somebody has proven to be his is in hand, and no more", () => {
  const before = withOrder(emptySession, order)
  expect(withAuthenticatedOrder(before, { id: "LATER" })).toMatchObject({
    ...{ orderId: "LATER", orderByProof: true, serviceIds: ["s1"] },
  })
  expect(withOrder(withAuthenticatedOrder(before, { id: "LATER" }), order)).toMatchObject({
    orderByProof: false,
  })
})

test("a device that forgets keeps nothing but the name its tries are counted under", () => {
  const before = {
    ...withOrder(signedIn(emptySession, ana, proof), order),
    visitor: "v1",
    currency: "GBP" as const,
  }
  expect(forgotten(before)).toEqual({ ...emptySession, visitor: "v1" })
})
