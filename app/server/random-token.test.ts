import { expect, test } from "vitest"
import { randomToken } from "./random-token.server"

test("ten thousand tokens are all different and have the requested length", () => {
  const all = Array.from({ length: 10_000 }, () => randomToken(27))
  expect(new Set(all).size).toBe(all.length)
  expect(all.every((it) => /^[\w-]{36}$/.test(it))).toBe(true)
})

test("returns a token that is longer than one block of random bytes", () => {
  expect(randomToken(9_000)).toHaveLength(12_000)
})
