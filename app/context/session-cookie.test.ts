import { expect, test } from "vitest"
import { z } from "zod"
import { isEmail } from "~/domain/customers/email"
import { StatedBusiness } from "~/domain/forms/business-form"
import { sealWith } from "~/security/cookie-encryption.server"
import {
  accountCurrency,
  askingToSignIn,
  type CheckoutSession,
  emptySession,
  isKnownBrowser,
  signedIn,
  withAuthenticatedOrder,
  withOrder,
} from "./session.server"
import { decodeSession, encodeSession, SESSION_SECONDS } from "./session-cookie.server"

const NOW = 1_800_000_000_000
const secret = "a secret of at least thirty-two characters"
const seal = sealWith([secret], "session")
const session = { ...emptySession, id: "n".repeat(22), orderId: "K7QM2XDT93", sealedAt: NOW }

const ana = {
  id: "c1",
  email: "ana@example.test",
  locale: "en-en",
  currency: "GBP",
  reach: "account",
} as const
const order = { id: "K7QM2XDT93", kind: "plan", serviceId: "s1" } as const
const proof = { how: "password", at: NOW } as const

test("a sign-in puts the account's currency in place of the one chosen before, and another one may be chosen then", () => {
  const chosen = signedIn({ ...session, currency: "EUR" }, ana, proof)
  expect([chosen.currency, accountCurrency(chosen)]).toEqual([null, "GBP"])
  const later = signedIn({ ...chosen, currency: "USD" }, ana, proof)
  expect(later.currency).toBe("USD")
  const bob = { ...ana, id: "c2", email: "bob@example.test", currency: "EUR" } as const
  expect(signedIn(later, bob, proof).currency).toBeNull()
})

test("the currency of the account does not count for a selection for another e-mail", () => {
  const own = signedIn(session, ana, proof)
  const forEmail = (email: string) => accountCurrency({ ...own, choices: { ...own.choices, email } })
  expect([forEmail(" Ana@Example.test"), forEmail("bob@example.test")]).toEqual(["GBP", null])
  expect(accountCurrency(session)).toBeNull()
})

test("a session survives encoding and decoding unchanged", () => {
  expect(decodeSession(seal, encodeSession(seal, session), NOW)).toEqual(session)
})

test("a cookie reveals none of its content", () => {
  expect(Buffer.from(encodeSession(seal, session), "base64url").toString("latin1")).not.toContain(
    "K7QM2XDT93",
  )
})

test("the same session is encrypted differently each time", () => {
  expect(encodeSession(seal, session)).not.toBe(encodeSession(seal, session))
})

test.each([
  ["no cookie", undefined],
  ["an empty cookie", ""],
  ["a cookie that is too short", "AAAA"],
  ["a cookie of random letters", "x".repeat(200)],
  ["a cookie sealed by somebody else", encodeSession(sealWith(["b".repeat(40)], "session"), session)],
  ["a cookie sealed for another purpose", sealWith([secret], "links").seal(JSON.stringify(session))],
  ["a cookie of an older version", seal.seal(JSON.stringify({ order: 7, sealedAt: NOW }))],
])("%s is an empty session", (_, cookie) => {
  expect(decodeSession(seal, cookie, NOW)).toEqual(emptySession)
})

test("a cookie with any character changed is rejected", () => {
  const cookie = encodeSession(seal, session)
  for (let at = 0; at < cookie.length; at++) {
    const forged = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`
    expect(decodeSession(seal, forged, NOW)).toEqual(emptySession)
  }
})

test("a new secret encrypts, and the old one still decrypts", () => {
  const old = encodeSession(seal, session)
  const rotated = sealWith(["a new secret of at least thirty-two", secret], "session")
  expect(decodeSession(rotated, old, NOW)).toEqual(session)
  expect(decodeSession(seal, encodeSession(rotated, session), NOW)).toEqual(emptySession)
})

test("a cookie decoded before keeps its age", () => {
  const cookie = encodeSession(seal, session)
  expect(decodeSession(seal, cookie, NOW)).toEqual(session)
  expect(decodeSession(seal, cookie, NOW)).toEqual(session)
  expect(decodeSession(seal, cookie, NOW + SESSION_SECONDS * 1_000 + 1)).toEqual(emptySession)
})

test("the longest choices fit into a cookie", () => {
  const choices = {
    ...emptySession.choices,
    plan: "p".repeat(64),
    promoCode: "€".repeat(64),
    email: `${"a".repeat(242)}@example.com`,
  }
  const longest: CheckoutSession = {
    choices,
    draft: { key: "k".repeat(22), total: 99_999_999 },
    orderId: "K7QM2XDT93",
    serviceIds: Array.from({ length: 8 }, () => "s".repeat(64)),
    serviceId: "s".repeat(64),
    customer: {
      id: "c".repeat(64),
      email: `${"b".repeat(242)}@example.com`,
      currency: "EUR",
      reach: "sign-up",
    },
    proof: { how: "trusted-link", at: NOW },
    currency: "GBP",
    visitor: "v".repeat(22),
    knownAccount: "a".repeat(43),
    id: "n".repeat(22),
    orderByProof: true,
    pendingSignIn: null,
    sealedAt: NOW,
  }
  expect(decodeSession(seal, encodeSession(seal, longest), NOW)).toEqual(longest)

  const signedOut = { ...longest, customer: null, proof: null, orderByProof: false }
  const email = `${"d".repeat(242)}@example.com`
  for (const length of [160, 161]) {
    const path = `/checkout/waiting?resume=${"r".repeat(length - 25)}`
    const asking = askingToSignIn(signedOut, {
      id: "q".repeat(22),
      email,
      at: NOW,
      path,
      sessionId: "n".repeat(22),
    })
    expect(decodeSession(seal, encodeSession(seal, asking), NOW)).toEqual(asking)
    expect(asking.pendingSignIn?.path).toBe(length === 160 ? path : null)
  }
})

test("a session longer than browsers keep is an error, and is not lost silently", () => {
  const ofLength = (length: number) => ({ ...session, serviceId: "s".repeat(length) })
  expect(encodeSession(seal, ofLength(1_000)).length).toBeLessThan(4_096)
  expect(() => encodeSession(seal, ofLength(4_000))).toThrow("Session too large for a cookie")
})

test.each([
  ["in Latin letters", "é", "a"],
  ["in Chinese, with Chinese addresses", "电", "电"],
])("the longest business %s fits into a cookie beside the longest choices", (_, letter, emailLetter) => {
  const ofBytes = (bytes: number) => letter.repeat(bytes / Buffer.byteLength(letter))
  const stated = StatedBusiness.parse({
    taxNumber: "FR40303265045",
    company: ofBytes(192),
    street: ofBytes(144),
    city: ofBytes(126),
  })
  const emails = Array.from({ length: 254 }, (_, at) => `${emailLetter.repeat(254 - at)}@example.com`)
  const email = emails.find(isEmail) ?? ""
  const asking = askingToSignIn(
    {
      ...emptySession,
      choices: { ...emptySession.choices, plan: "p".repeat(64), promoCode: "€".repeat(64), email },
      draft: { key: "k".repeat(22), total: 99_999_999, declaredAt: NOW },
      orderId: "K7QM2XDT93",
      serviceIds: Array.from({ length: 8 }, () => "s".repeat(64)),
      serviceId: "s".repeat(64),
      visitor: "v".repeat(22),
      knownAccount: "a".repeat(43),
      country: "FR",
      confirmedCountry: "FR",
      business: {
        company: stated.company,
        address: [stated.street, stated.city],
        taxNumber: stated.taxNumber,
        check: { result: "unanswered", at: NOW, requestId: "W".repeat(64) },
      },
      sealedAt: NOW,
    },
    {
      id: "q".repeat(22),
      email,
      at: NOW,
      path: `/checkout/waiting?resume=${"r".repeat(135)}`,
      sessionId: "n".repeat(22),
    },
  )
  expect(decodeSession(seal, encodeSession(seal, asking), NOW)).toEqual(asking)
  // A change of the language keeps a typed code and drops the draft.
  const changed = { ...asking, draft: null, typedCode: "c".repeat(64) }
  expect(decodeSession(seal, encodeSession(seal, changed), NOW)).toEqual(changed)
})

test("a session ends after thirty days, and so does a copy of its cookie", () => {
  expect(SESSION_SECONDS).toBe(2_592_000)
  const cookie = encodeSession(seal, session)
  expect(decodeSession(seal, cookie, NOW + SESSION_SECONDS * 1_000)).toEqual(session)
  expect(decodeSession(seal, cookie, NOW + SESSION_SECONDS * 1_000 + 1)).toEqual(emptySession)
})

const MONTH = SESSION_SECONDS * 1_000
const reopened = (session: CheckoutSession, now: number) =>
  decodeSession(seal, encodeSession(seal, session), now)

test("an authentication survives decoding unchanged, and ends after thirty days however often the session is used", () => {
  const proven = { ...withOrder(signedIn(session, ana, proof), order), sealedAt: NOW + MONTH - 1 }
  expect(reopened(proven, NOW + MONTH)).toEqual(proven)
  const knownAccount = expect.any(String)
  expect(reopened(proven, NOW + MONTH + 1)).toEqual({ ...proven, customer: null, proof: null, knownAccount })
})

test("a browser is known to an account after its authentication has expired, and to no other one", () => {
  const expired = reopened({ ...signedIn(session, ana, proof), sealedAt: NOW + MONTH }, NOW + MONTH + 1)
  expect(isKnownBrowser(expired, ana.email)).toBe(true)
  expect(isKnownBrowser(expired, "bob@example.test")).toBe(false)
  const later = reopened({ ...expired, sealedAt: NOW + 2 * MONTH }, NOW + 2 * MONTH + 1)
  expect(isKnownBrowser(later, ana.email)).toBe(true)
})

test("an expired authentication removes what it gave access to, and keeps the browser's own orders", () => {
  const own = signedIn(withOrder({ ...session, sealedAt: NOW + MONTH }, order), ana, proof)
  const upsell = { id: "UPSELL", kind: "upsell", serviceId: "s7" } as const
  expect(reopened(withOrder(own, upsell), NOW + MONTH + 1)).toMatchObject({
    customer: null,
    orderId: "UPSELL",
    serviceIds: ["s1"],
  })
  expect(reopened(withAuthenticatedOrder(own, { id: "LATER" }), NOW + MONTH + 1)).toMatchObject({
    customer: null,
    orderId: null,
    serviceIds: ["s1"],
  })
})

test("a requested sign-in survives decoding, and ends with the sign-in", () => {
  const asking = askingToSignIn(session, {
    id: "r1",
    email: "ana@example.test",
    at: NOW,
    path: "/checkout/success",
    sessionId: "n1",
  })
  expect(reopened(asking, NOW)).toMatchObject({ id: "n1", pendingSignIn: { id: "r1", at: NOW } })
  expect(reopened(signedIn(asking, ana, proof), NOW)).toMatchObject({
    pendingSignIn: null,
    customer: { id: "c1" },
  })
})

/** A cookie as the previous version wrote it. */
const ofToday = (customer: object | null) =>
  seal.seal(
    JSON.stringify({
      choices: { ...emptySession.choices, plan: "3", email: "ana@example.test" },
      draft: null,
      orderId: "K7QM2XDT93",
      serviceIds: ["s1"],
      serviceId: null,
      customer,
      currency: "EUR",
      visitor: "v1",
      sealedAt: NOW,
    }),
  )

test("a cookie of the previous version keeps its orders and is not authenticated", () => {
  const cookie = ofToday({ id: "c1", email: "ana@example.test", currency: "EUR", reach: "account" })
  expect(decodeSession(seal, cookie, NOW)).toMatchObject({
    orderId: "K7QM2XDT93",
    serviceIds: ["s1"],
    visitor: "v1",
    customer: null,
    proof: null,
    knownAccount: null,
    choices: { plan: "3", email: "ana@example.test" },
  })
})

test("all copies of a cookie of the previous version have one session id, so that the session can be ended", () => {
  const [cookie, other] = [ofToday(null), ofToday(null)]
  const { id } = decodeSession(seal, cookie, NOW)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(decodeSession(seal, cookie, NOW + 1).id).toBe(id)
  expect(decodeSession(seal, other, NOW).id).not.toBe(id)
})

test("the previous version reads a cookie of this version and ignores unknown fields", () => {
  const before = z.object({
    orderId: z.string().nullable(),
    serviceIds: z.array(z.string()),
    sealedAt: z.number(),
    customer: z.object({ id: z.string(), email: z.string(), currency: z.string(), reach: z.string() }),
  })
  const cookie = encodeSession(seal, withOrder(signedIn(session, ana, proof), order))
  expect(before.parse(JSON.parse(seal.open(cookie) ?? ""))).toMatchObject({ customer: { id: "c1" } })
})
