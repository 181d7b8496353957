import { expect, test } from "vitest"
import { sealWith } from "./cookie-encryption.server"

const seal = sealWith(["a secret of at least thirty-two characters"], "session")
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The text with another last base64url character for the same bytes: only unused bits differ. */
function respelled(sealed: string): string {
  const last = ALPHABET.indexOf(sealed.slice(-1))
  return `${sealed.slice(0, -1)}${ALPHABET[last ^ 1]}`
}

test.each([
  ["with four bits to spare in its last letter", ""],
  ["with two bits to spare in its last letter", "a"],
])("an encrypted text %s has one spelling", (_, text) => {
  const sealed = seal.seal(text)
  const other = respelled(sealed)
  expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(sealed, "base64url"))
  expect(seal.open(other)).toBeNull()
  expect(seal.open(sealed)).toBe(text)
})

test.each([
  ["the padding of base64", (sealed: string) => `${sealed}==`],
  ["a space at its end", (sealed: string) => `${sealed} `],
  ["a line break in its middle", (sealed: string) => `${sealed.slice(0, 20)}\n${sealed.slice(20)}`],
])("an encrypted text with %s is rejected", (_, spell) => {
  expect(seal.open(spell(seal.seal("")))).toBeNull()
})
