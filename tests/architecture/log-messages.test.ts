import { expect, test } from "vitest"
import { logCalls } from "./log-calls"

const calls = logCalls()

test("finds the calls of loggers", () => {
  expect(calls.length).toBeGreaterThan(50)
  expect(calls.map(({ message }) => message)).toEqual(
    expect.arrayContaining(["request completed", "API request failed", "circuit opened for gateway"]),
  )
})

test("every log message is a constant of two to six words, in lower case except for acronyms", () => {
  const wrong = calls.filter(({ message }) => {
    const args = message?.split(" ") ?? []
    const isLowerCase = args.every((word) => word === word.toLowerCase() || word === word.toUpperCase())
    return args.length < 2 || args.length > 6 || !isLowerCase || /[.!?"]$/.test(message ?? "")
  })
  expect(wrong).toEqual([])
})
