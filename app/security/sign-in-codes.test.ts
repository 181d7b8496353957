import { describe, expect, test } from "vitest"
import { signWith } from "./hmac.server"
import { isSignInCode, requestOfToken, signInCode, signInToken } from "./sign-in-codes.server"

const signer = signWith(["x".repeat(32)], "links")
const requestId = "AAAAAAAAAAAAAAAAAAAAAA"

describe("the code of a sign-in request", () => {
  test("is six digits, also with zeros in front", () => {
    const codes = Array.from({ length: 500 }, (_, nth) => signInCode(signer, `request ${nth}`))
    expect(codes.filter((it) => !/^\d{6}$/.test(it))).toEqual([])
    expect(codes.some((it) => it.startsWith("0"))).toBe(true)
    expect(new Set(codes).size).toBeGreaterThan(490)
  })

  test("is the same each time, and another one for another request or secret", () => {
    const code = signInCode(signer, requestId)
    expect(signInCode(signer, requestId)).toBe(code)
    expect(signInCode(signer, "another")).not.toBe(code)
    expect(signInCode(signWith(["y".repeat(32)], "links"), requestId)).not.toBe(code)
  })

  test("is recognised, and no other text is", () => {
    const code = signInCode(signer, requestId)
    const typed = [code, code.slice(1), `${code}0`, "", signInCode(signer, "another")]
    const recognised = typed.map((it) => isSignInCode(signer, { requestId, code: it }))
    expect(recognised).toEqual([true, false, false, false, false])
  })
})

describe("the token of a sign-in link", () => {
  test("names its request", () => {
    expect(requestOfToken(signer, signInToken(signer, requestId))).toBe(requestId)
  })

  const token = signInToken(signer, requestId)
  const [, signature = ""] = token.split(".")
  test.each([
    ["nothing", ""],
    ["no signature", requestId],
    ["an empty signature", `${requestId}.`],
    ["another request", `B${token.slice(1)}`],
    ["another signature", `${requestId}.B${signature.slice(1)}`],
    ["a signature of another purpose", `${requestId}.${signer.sign(`resume ${requestId}`)}`],
    ["the signature of the code", `${requestId}.${signer.sign(`sign-in code ${requestId}`)}`],
    ["another secret", signInToken(signWith(["y".repeat(32)], "links"), requestId)],
  ])("with %s names none", (_, forged) => {
    expect(requestOfToken(signer, forged)).toBeNull()
  })
})
