import { expect, test } from "vitest"
import { signWith } from "./hmac.server"

const secret = "a secret of at least thirty-two characters"
const signer = signWith([secret], "links")
const text = "what goes out in a link"

test("a signature is verified", () => {
  expect(signer.verify(text, signer.sign(text))).toBe(true)
})

test("a signature needs no escaping in a URL", () => {
  expect(signer.sign(text)).toMatch(/^[\w-]{43}$/)
})

test.each([
  ["another text", "what went out in another link", signer.sign(text)],
  ["no signature", text, ""],
  ["a signature cut short", text, signer.sign(text).slice(0, -4)],
  ["a signature with something added", text, `${signer.sign(text)}AAAA`],
  ["a signature of no letters we use", text, "§$%"],
  ["the signature of somebody else", text, signWith(["b".repeat(40)], "links").sign(text)],
  ["a signature for another purpose", text, signWith([secret], "session").sign(text)],
])("%s is rejected", (_, value, signature) => {
  expect(signer.verify(value, signature)).toBe(false)
})

test("a new secret signs, and signatures of the old one are still accepted", () => {
  const rotated = signWith(["a new secret of at least thirty-two", secret], "links")
  expect(rotated.verify(text, signer.sign(text))).toBe(true)
  expect(signer.verify(text, rotated.sign(text))).toBe(false)
})

test("signing without a secret throws", () => {
  expect(() => signWith([], "links")).toThrow(/No secret/)
})
