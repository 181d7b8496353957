import { expect, test } from "vitest"
import { isInPlace, signInScreen } from "./interstitial"

test.each(["sign-in", "fraud", "forget", "resume"])("the screen %s appears without a path", (kind) => {
  expect(isInPlace({ kind })).toBe(true)
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
])("%j is no such screen", (thrown) => {
  expect(isInPlace(thrown)).toBe(false)
})

test("the sign-in screen asks for nothing else unless it is told to", () => {
  expect(signInScreen({})).toEqual({
    kind: "sign-in",
    reason: "asked",
    error: null,
    retryAfterSeconds: 0,
    email: "",
    fieldErrors: {},
  })
})

test("the sign-in screen says why it appears, and keeps the e-mail that was typed", () => {
  const result = { reason: "needed", error: "wrong", email: "ana@example.test" } as const
  expect(signInScreen(result)).toMatchObject({ kind: "sign-in", ...result })
})
