import { expect, test } from "vitest"
import { randomToken } from "./random-token.server"

test("no two of ten thousand are the same, and each has the length that was asked for", () => {
  const all = Array.from({ length: 10_000 }, () => randomToken(27))
  expect(new Set(all).size).toBe(all.length)
  expect(all.every((it) => /^[\w-]{36}$/.test(it))).toBe(true)
})

test("more than is asked of the system at once is given too", () => {
  expect(randomToken(9_000)).toHaveLength(12_000)
})
