import { describe, expect, test } from "vitest"
import {
  changeOfToken,
  emailChangeCode,
  emailChangeToken,
  isEmailChangeCode,
} from "./email-change-codes.server"
import { signWith } from "./hmac.server"
import { signInCode, signInToken } from "./sign-in-codes.server"

const signer = signWith(["x".repeat(32)], "links")
const changeId = "AAAAAAAAAAAAAAAAAAAAAA"

describe("the code of a change of e-mail", () => {
  test("is six digits, and another one for another change", () => {
    const codes = Array.from({ length: 500 }, (_, nth) => emailChangeCode(signer, `change ${nth}`))
    expect(codes.filter((it) => !/^\d{6}$/.test(it))).toEqual([])
    expect(new Set(codes).size).toBeGreaterThan(490)
  })

  test("is recognised, and no other text is, nor the code of a sign-in of the same id", () => {
    const code = emailChangeCode(signer, changeId)
    const typed = [code, code.slice(1), "", emailChangeCode(signer, "another"), signInCode(signer, changeId)]
    const recognised = typed.map((it) => isEmailChangeCode(signer, { changeId, code: it }))
    expect(recognised).toEqual([true, false, false, false, false])
  })
})

describe("the token of a link that keeps an e-mail", () => {
  const token = emailChangeToken(signer, changeId)

  test("names its change", () => {
    expect(changeOfToken(signer, token)).toBe(changeId)
  })

  test.each([
    ["nothing", ""],
    ["no signature", changeId],
    ["another change", `B${token.slice(1)}`],
    ["the token of a sign-in link", signInToken(signer, changeId)],
    ["the signature of the code", `${changeId}.${signer.sign(`email change code ${changeId}`)}`],
    ["another secret", emailChangeToken(signWith(["y".repeat(32)], "links"), changeId)],
  ])("with %s names none", (_, forged) => {
    expect(changeOfToken(signer, forged)).toBeNull()
  })
})
