import { hkdfSync } from "node:crypto"
import { SignJWT } from "jose"
import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { openApiAccess } from "./api-tokens.server"

const NOON = Date.UTC(2026, 10, 20, 12)
const keys = ["first key of the operator's, long enough", "second key of the operator's, long enough"]
const secrets = ["a".repeat(32), "b".repeat(32)]
const access = openApiAccess({ keys, secrets })

test.each(keys)("each of the operator's keys is accepted: %s", (key) => {
  expect(access.isKey(key)).toBe(true)
})

test.each([null, "", "first key", `${keys[0]} `, keys.join(",")])("%j is not a key", (key) => {
  expect(access.isKey(key)).toBe(false)
})

test("a token identifies its customer for a day", async () => {
  const token = await access.token("7", NOON)
  expect(await access.customerOf(token, NOON)).toBe("7")
  expect(await access.customerOf(token, NOON + DAY - 1_000)).toBe("7")
  expect(await access.customerOf(token, NOON + DAY)).toBeNull()
})

test("a token signed with the old secret is accepted, and one with a foreign secret is not", async () => {
  const older = openApiAccess({ keys, secrets: ["b".repeat(32)] })
  const otherClient = openApiAccess({ keys, secrets: ["c".repeat(32)] })
  expect(await access.customerOf(await older.token("7", NOON), NOON)).toBe("7")
  expect(await access.customerOf(await otherClient.token("7", NOON), NOON)).toBeNull()
})

test.each(["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3IiwiZXhwIjo5OTk5OTk5OTk5fQ."])(
  "%j is not a token",
  async (token) => {
    expect(await access.customerOf(token, NOON)).toBeNull()
  },
)

test("a token of another issuer is rejected, even if it is signed with the shop's secret", async () => {
  const secret = new Uint8Array(hkdfSync("sha256", secrets[0] ?? "", "boxoffice", "api", 32))
  const tokenOf = (issuer: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setSubject("7")
      .setExpirationTime(NOON / 1_000 + 60)
      .sign(secret)
  expect(await access.customerOf(await tokenOf("another-shop"), NOON)).toBeNull()
  expect(await access.customerOf(await tokenOf("boxoffice"), NOON)).toBe("7")
})

test("a correctly signed token without an expiry is rejected", async () => {
  const secret = new Uint8Array(hkdfSync("sha256", secrets[0] ?? "", "boxoffice", "api", 32))
  const endless = new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer("boxoffice").setSubject("7")
  expect(await access.customerOf(await endless.sign(secret), NOON)).toBeNull()
  const ending = endless.setExpirationTime(NOON / 1_000 + 60)
  expect(await access.customerOf(await ending.sign(secret), NOON)).toBe("7")
})
