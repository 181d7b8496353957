import { expect, test } from "vitest"
import { signWith } from "~/security/hmac.server"
import { bounceAddress, mailIdOfBounce } from "./bounce-address.server"

const signer = signWith(["x".repeat(32)], "links")
const id = "AAECAwQFBgcICQoLDA0ODw"

test("a bounce to the envelope sender names its message, also in upper case", () => {
  const address = bounceAddress(signer, "shop@shop.example", id)
  expect(address).toMatch(/^shop\+[a-z2-7]+@shop\.example$/)
  expect(mailIdOfBounce(signer, address)).toBe(id)
  expect(mailIdOfBounce(signer, address.toUpperCase())).toBe(id)
})

test("an address that the shop has not signed names no message", () => {
  const address = bounceAddress(signWith(["y".repeat(32)], "links"), "shop@shop.example", id)
  for (const forged of [address, "shop@shop.example", "shop+abc@shop.example", "", "+@"])
    expect(mailIdOfBounce(signer, forged)).toBeNull()
})

test("an address without room for the id is returned unchanged", () => {
  const long = `${"a".repeat(40)}@shop.example`
  expect(bounceAddress(signer, long, id)).toBe(long)
})
