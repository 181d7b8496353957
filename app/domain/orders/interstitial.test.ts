import { expect, test } from "vitest"
import { isInterstitial, signInScreen } from "./interstitial"

test.each(["sign-in", "fraud", "forget", "resume"])("%s is an interstitial", (kind) => {
  expect(isInterstitial({ kind })).toBe(true)
})

test.each([
  null,
  undefined,
  "sign-in",
  7,
  {},
  { kind: "toString" },
  { kind: 7 },
  { kind: ["fraud"] },
  { kind: "checkout" },
])("%j is not an interstitial", (thrown) => {
  expect(isInterstitial(thrown)).toBe(false)
})

test("the sign-in screen has no error and no e-mail by default", () => {
  expect(signInScreen({})).toEqual({
    kind: "sign-in",
    reason: "asked",
    email: "",
    form: "password",
    lastResult: null,
    retryAfterSeconds: 0,
    returned: null,
  })
})

test("the sign-in screen keeps the given reason, e-mail and refused form", () => {
  const lastResult = { error: { "": ["signIn.wrong"] } }
  const result = { reason: "needed", lastResult, email: "ana@example.test" } as const
  expect(signInScreen(result)).toMatchObject({ kind: "sign-in", ...result })
})
