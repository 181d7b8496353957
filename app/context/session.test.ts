import { expect, test } from "vitest"
import { sealWith } from "~/security/cookie-encryption.server"
import {
  type CheckoutSession,
  closeSession,
  emptySession,
  openSession,
  SESSION_SECONDS,
  signedIn,
  signedOut,
  withOrder,
} from "./session.server"

const NOW = 1_800_000_000_000
const secret = "a secret of at least thirty-two characters"
const seal = sealWith([secret], "session")
const session = { ...emptySession, orderId: "K7QM2XDT93" }

test("what a browser remembers comes back as it was", () => {
  expect(openSession(seal, closeSession(seal, session, NOW), NOW)).toEqual(session)
})

test("a cookie shows nothing of what it holds", () => {
  expect(Buffer.from(closeSession(seal, session, NOW), "base64url").toString("latin1")).not.toContain(
    "K7QM2XDT93",
  )
})

test("the same session is never the same cookie twice", () => {
  expect(closeSession(seal, session, NOW)).not.toBe(closeSession(seal, session, NOW))
})

test.each([
  ["no cookie", undefined],
  ["an empty cookie", ""],
  ["a cookie that is too short", "AAAA"],
  ["a cookie of random letters", "x".repeat(200)],
  ["a cookie sealed by somebody else", closeSession(sealWith(["b".repeat(40)], "session"), session, NOW)],
  ["a cookie sealed for another purpose", sealWith([secret], "links").seal(JSON.stringify(session))],
  ["a cookie of an older version", seal.seal(JSON.stringify({ order: 7, sealedAt: NOW }))],
])("%s is an empty session", (_, cookie) => {
  expect(openSession(seal, cookie, NOW)).toEqual(emptySession)
})

test("no letter of a cookie can be changed", () => {
  const cookie = closeSession(seal, session, NOW)
  for (let at = 0; at < cookie.length; at++) {
    const forged = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`
    expect(openSession(seal, forged, NOW)).toEqual(emptySession)
  }
})

test("a new secret seals, and the old one still opens", () => {
  const old = closeSession(seal, session, NOW)
  const rotated = sealWith(["a new secret of at least thirty-two", secret], "session")
  expect(openSession(rotated, old, NOW)).toEqual(session)
  expect(openSession(seal, closeSession(rotated, session, NOW), NOW)).toEqual(emptySession)
})

test("a cookie that has been opened before is as old as it says", () => {
  const cookie = closeSession(seal, session, NOW)
  expect(openSession(seal, cookie, NOW)).toEqual(session)
  expect(openSession(seal, cookie, NOW)).toEqual(session)
  expect(openSession(seal, cookie, NOW + SESSION_SECONDS * 1_000 + 1)).toEqual(emptySession)
})

test("the longest choices fit into a cookie", () => {
  const choices = {
    ...emptySession.choices,
    plan: "p".repeat(64),
    promoCode: "€".repeat(64),
    email: `${"a".repeat(242)}@example.com`,
  }
  const longest: CheckoutSession = {
    ...{ choices, draft: { key: "k".repeat(22), total: 99_999_999 }, orderId: "K7QM2XDT93" },
    ...{ serviceIds: Array.from({ length: 8 }, () => "s".repeat(64)), serviceId: "s".repeat(64) },
    customer: {
      id: "c".repeat(64),
      email: `${"b".repeat(242)}@example.com`,
      currency: "EUR",
      reach: "sign-up",
    },
    currency: "GBP",
    visitor: "v".repeat(22),
  }
  expect(openSession(seal, closeSession(seal, longest, NOW), NOW)).toEqual(longest)
})

test("a session is remembered for thirty days, and a copy of its cookie is good for no longer", () => {
  expect(SESSION_SECONDS).toBe(2_592_000)
  const cookie = closeSession(seal, session, NOW)
  expect(openSession(seal, cookie, NOW + SESSION_SECONDS * 1_000)).toEqual(session)
  expect(openSession(seal, cookie, NOW + SESSION_SECONDS * 1_000 + 1)).toEqual(emptySession)
})

const ana = {
  id: "c1",
  email: "ana@example.test",
  locale: "en-en",
  currency: "GBP",
  reach: "account",
} as const
const order = { id: "K7QM2XDT93", serviceId: "s1" }

test("a new order takes the place of the one in hand, and of the service that was looked at", () => {
  const before = { ...emptySession, orderId: "OLD", serviceId: "s0", serviceIds: ["s0"] }
  expect(withOrder(before, order)).toMatchObject({
    ...{ orderId: "K7QM2XDT93", serviceId: null, serviceIds: ["s1", "s0"] },
  })
})

test("a browser remembers the services it bought last, each once", () => {
  let remembered = withOrder(withOrder(emptySession, order), order)
  expect(remembered.serviceIds).toEqual(["s1"])
  for (let at = 0; at < 20; at++) remembered = withOrder(remembered, { id: `o${at}`, serviceId: `t${at}` })
  expect(remembered.serviceIds).toHaveLength(8)
  expect(remembered.serviceIds[0]).toBe("t19")
})

test("who signs in keeps what this browser was about to do, with his own e-mail", () => {
  const before = { ...emptySession, orderId: "K7QM2XDT93", choices: { ...emptySession.choices, plan: "3" } }
  expect(signedIn(before, ana)).toMatchObject({
    orderId: "K7QM2XDT93",
    choices: { plan: "3", email: "ana@example.test" },
    customer: { id: "c1", currency: "GBP" },
  })
})

test("another customer in the same browser gets nothing of the one before", () => {
  const before = withOrder(signedIn(emptySession, ana), order)
  const after = signedIn(before, { ...ana, id: "c2", email: "ben@example.test" })
  expect(after).toMatchObject({ orderId: null, serviceIds: [], customer: { id: "c2" } })
})

test("signing out forgets customer, e-mail, order and services; the plan that was chosen stays", () => {
  const before = withOrder(signedIn(emptySession, ana), order)
  const chosen = { ...before, currency: "GBP" as const, choices: { ...before.choices, plan: "3" } }
  expect(signedOut(chosen)).toEqual({ ...emptySession, choices: { ...emptySession.choices, plan: "3" } })
})
