import { scryptSync } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { beforeEach, expect, test, vi } from "vitest"
import { deriveKey, passwordStrength } from "./password-threads.server"

/** The slowest to rate of all passwords of 200 characters that were tried. */
const expensive = "a4@b8c({[<d3e6g9i1!|l1o0s$5t+7x%z2".repeat(6).slice(0, 200)
const email = `${Array.from({ length: 60 }, (_, i) => `ab${String.fromCharCode(97 + (i % 26))}`).join(".")}@x.example`

/** On a busy machine a task may take longer than the pools allow. What becomes of such a task is a test of `workerPool`. */
beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal)
})

test("rating the most expensive password that a form accepts does not block the event loop", async () => {
  await passwordStrength("warm", email)
  let isRated = false
  const rated = passwordStrength(expensive, email).finally(() => {
    isRated = true
  })
  let rounds = 0
  while (!isRated) {
    await setImmediate()
    rounds++
  }
  expect(await rated).toBe(4)
  expect(rounds).toBeGreaterThan(100)
})

test("a password is as strong as its first 64 characters", async () => {
  expect(await passwordStrength("password12", email)).toBeLessThan(2)
  expect(await passwordStrength("plover anvil quartz mitten", email)).toBe(4)
  expect(await passwordStrength("aaaaaaaa".repeat(8), email)).toBeLessThan(2)
  expect(await passwordStrength(`${"aaaaaaaa".repeat(8)}plover anvil quartz mitten`, email)).toBeLessThan(2)
})

test("a password contained in the e-mail is weak", async () => {
  expect(await passwordStrength("kowalczyk77", "a.kowalczyk77@example.test")).toBeLessThan(2)
})

test("the derived key equals Node's scrypt", async () => {
  const task = {
    password: "pleaseletmein",
    salt: Buffer.from("SodiumChloride"),
    length: 64,
    N: 2 ** 14,
    r: 8,
    p: 1,
  }
  expect(await deriveKey(task)).toEqual(
    scryptSync("pleaseletmein", "SodiumChloride", 64, { N: 2 ** 14, r: 8, p: 1 }),
  )
})
