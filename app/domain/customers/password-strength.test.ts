import { expect, test } from "vitest"
import { isGuessable, type Strength, strengthOf } from "./password-strength"

const EMAIL = "leontine.vanderberg@tulpenhandel.example"

test.each([
  ["password12", 1],
  ["qwertyuiop", 0],
  ["aaaaaaaaaaaaaaaa", 0],
  ["correct horse battery staple", 4],
  ["tvQ9-mZr2_kWx7", 4],
] as const)("rates %s as %i of 4", async (password, strength) => {
  expect(await strengthOf(password, EMAIL)).toBe(strength)
})

test.each([EMAIL, "vanderberg", "tulpenhandel"])(
  "%j is guessable only together with the e-mail",
  async (password) => {
    expect(isGuessable(await strengthOf(password, EMAIL))).toBe(true)
    expect(isGuessable(await strengthOf(password, "ana@mail.test"))).toBe(false)
  },
)

test("only the lowest ratings are guessable", () => {
  const strengths: Strength[] = [0, 1, 2, 3, 4]
  expect(strengths.filter(isGuessable)).toEqual([0, 1])
})

test("rates passwords and e-mails of any length in bounded time", async () => {
  const many = Array.from({ length: 60 }, (_, at) => `word${at}`).join(".")
  expect(await strengthOf("1a".repeat(50_000), `${many}@${"x".repeat(50_000)}.test`)).toBeTypeOf("number")
})

test("rates the first 64 characters of the password and of each part of the e-mail", async () => {
  expect(await strengthOf(`${"a".repeat(64)}tvQ9-mZr2_kWx7`, EMAIL)).toBe(0)
  const long = "tvqmzrkwxpjhgfdslbncyueoiatvqzmrkwpxjhgfdsblncyueoaitqvmzrkwxpjhgfds"
  expect(await strengthOf(long, EMAIL)).toBe(4)
  expect(await strengthOf(long, `${long}@mail.test`)).toBe(0)
})

test("compares the password with the first eight parts of the e-mail", async () => {
  const seven = "one.two.three.four.five.six.seven"
  expect(isGuessable(await strengthOf("tulpenhandel", `${seven}.tulpenhandel@mail.test`))).toBe(true)
  expect(isGuessable(await strengthOf("tulpenhandel", `${seven}.eight.tulpenhandel@mail.test`))).toBe(false)
})
