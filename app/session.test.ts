import { expect, test } from "vitest"
import { closeSession, emptySession, openSession, SESSION_SECONDS } from "./session.server"
import { sealWith } from "./session-seal.server"

const secret = "a secret of at least thirty-two characters"
const seal = sealWith([secret], "session")
const session = { ...emptySession, orderId: "K7QM2XDT93" }

test("what a browser remembers comes back as it was", () => {
  expect(openSession(seal, closeSession(seal, session))).toEqual(session)
})

test("a cookie shows nothing of what it holds", () => {
  expect(Buffer.from(closeSession(seal, session), "base64url").toString("latin1")).not.toContain("K7QM2XDT93")
})

test("the same session is never the same cookie twice", () => {
  expect(closeSession(seal, session)).not.toBe(closeSession(seal, session))
})

test.each([
  ["no cookie", undefined],
  ["an empty cookie", ""],
  ["a cookie that is too short", "AAAA"],
  ["a cookie of random letters", "x".repeat(200)],
  ["a cookie sealed by somebody else", closeSession(sealWith(["b".repeat(40)], "session"), session)],
  ["a cookie sealed for another purpose", sealWith([secret], "links").seal(JSON.stringify(session))],
  ["a cookie of an older version", seal.seal(JSON.stringify({ order: 7 }))],
])("%s is an empty session", (_, cookie) => {
  expect(openSession(seal, cookie)).toEqual(emptySession)
})

test("no letter of a cookie can be changed", () => {
  const cookie = closeSession(seal, session)
  for (let at = 0; at < cookie.length; at += 7) {
    const forged = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`
    expect(openSession(seal, forged)).toEqual(emptySession)
  }
})

test("a new secret seals, and the old one still opens", () => {
  const old = closeSession(seal, session)
  const rotated = sealWith(["a new secret of at least thirty-two", secret], "session")
  expect(openSession(rotated, old)).toEqual(session)
  expect(openSession(seal, closeSession(rotated, session))).toEqual(emptySession)
})

test("the longest choices fit into a cookie", () => {
  const choices = {
    ...emptySession.choices,
    plan: "p".repeat(64),
    promoCode: "€".repeat(64),
    email: `${"a".repeat(242)}@example.com`,
  }
  const longest = { choices, draft: { key: "k".repeat(22), total: 99_999_999 }, orderId: "K7QM2XDT93" }
  expect(openSession(seal, closeSession(seal, longest))).toEqual(longest)
})

test("a session is remembered for thirty days", () => {
  expect(SESSION_SECONDS).toBe(2_592_000)
})
