import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { hashPassword, verifyPassword } from "./password-hash.server"

const PASSWORD = "correct horse battery"

test("hashPassword returns algorithm, parameters, salt and key, never the password", async () => {
  const stored = await hashPassword(PASSWORD)
  expect(stored).toMatch(/^scrypt\$15\$8\$3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/)
  expect(stored).not.toContain(PASSWORD)
  expect(await verifyPassword(PASSWORD, stored)).toBe(true)
  expect(await verifyPassword("correct horse batterY", stored)).toBe(false)
})

test("hashPassword returns a different hash for each call with the same password", async () => {
  expect(await hashPassword(PASSWORD)).not.toBe(await hashPassword(PASSWORD))
})

test("verifyPassword accepts a hash with other scrypt parameters", async () => {
  // RFC 7914, section 12: "pleaseletmein", "SodiumChloride", N = 16384, r = 8, p = 1.
  const key = Buffer.from(
    "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
    "hex",
  )
  const salt = Buffer.from("SodiumChloride")
  const stored = `scrypt$14$8$1$${salt.toString("base64")}$${key.toString("base64")}`
  expect(await verifyPassword("pleaseletmein", stored)).toBe(true)
  expect(await verifyPassword("pleaseletmeout", stored)).toBe(false)
})

test("verifyPassword treats composed and decomposed accented letters as equal", async () => {
  expect(
    await verifyPassword("contraseña".normalize("NFD"), await hashPassword("contraseña".normalize("NFC"))),
  ).toBe(true)
})

test("verifyPassword rejects any password for a missing hash", async () => {
  expect(await verifyPassword("", null)).toBe(false)
})

test.each(["", PASSWORD, "md5$1$2$3$AAAA$AAAA", "scrypt$15$8$3$AAAA$", "scrypt$99$8$3$AAAA$AAAA"])(
  "verifyPassword throws BillingError unreadable for the invalid hash %j",
  async (stored) => {
    const trying = verifyPassword(PASSWORD, stored)
    await expect(trying).rejects.toThrow(BillingError)
    await expect(trying).rejects.toMatchObject({ kind: "unreadable" })
  },
)
