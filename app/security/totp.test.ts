import { expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { newRecoveryCodes, newToken, recoveryCodeHash, tokenHash } from "./operator-tokens.server"
import { newTotpSecret, totpCounter, totpUri } from "./totp.server"

/** RFC 6238, appendix B, in Base32: the ASCII text 12345678901234567890. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

test.each([
  [59, "287082", 1],
  [1_111_111_109, "081804", 37_037_036],
  [20_000_000_000, "353130", 666_666_666],
])("the code of RFC 6238 at second %i is %s", (second, code, counter) => {
  expect(totpCounter(SECRET, code, second * SECOND)).toBe(counter)
})

test.each([
  ["of the step before", -30, 1],
  ["of the step after", 30, 1],
  ["of two steps before", -60, null],
  ["of two steps after", 60, null],
])("a code %s is accepted once the clocks differ by a step at most", (_, seconds, counter) => {
  expect(totpCounter(SECRET, "287082", (59 - seconds) * SECOND)).toBe(counter)
})

test.each(["", "28708", "2870820", "28708a", "000000"])("the code %j is wrong", (code) => {
  expect(totpCounter(SECRET, code, 59 * SECOND)).toBeNull()
})

test("the URI names shop and operator", () => {
  const uri = totpUri({ secret: SECRET, email: "marta@shop.test", issuer: "Box & office" })
  expect(uri).toMatch(/^otpauth:\/\/totp\/Box%20%26%20office:marta%40shop\.test\?/)
  expect(new URL(uri).searchParams.get("secret")).toBe(SECRET)
})

test("secrets, tokens and recovery codes differ each time", () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
  expect(newToken()).not.toBe(newToken())
})

test("a recovery code may be typed in small letters, with spaces or without hyphens", () => {
  const hash = recoveryCodeHash("ABCD-EFGH-JKLM-NPQR")
  for (const typed of ["abcd-efgh-jklm-npqr", " ABCD EFGH JKLM NPQR ", "ABCDEFGHJKLMNPQR"])
    expect(recoveryCodeHash(typed)).toBe(hash)
  expect(recoveryCodeHash("ABCD-EFGH-JKLM-NPQS")).not.toBe(hash)
  expect(hash).toBe(tokenHash("ABCDEFGHJKLMNPQR"))
})
