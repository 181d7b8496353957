import fc from "fast-check"
import { expect, test } from "vitest"
import { newCredentials, newOrderNumber, type RandomInt } from "./credentials"

/** A random source that returns the given numbers in order. */
function drawing(numbers: readonly number[]): RandomInt {
  let at = 0
  return (below) => (numbers[at++ % numbers.length] ?? 0) % below
}

const draws = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map(drawing)

test("a username is TV and eight unambiguous characters, a password is ten digits", () => {
  fc.assert(
    fc.property(draws, (randomInt) => {
      const { username, password } = newCredentials(randomInt)
      expect(username).toMatch(/^TV[2-9A-HJKMNP-TW-Z]{8}$/)
      expect(password).toMatch(/^\d{10}$/)
    }),
  )
})

test("an order number is ten unambiguous characters", () => {
  fc.assert(
    fc.property(draws, (randomInt) => {
      expect(newOrderNumber(randomInt)).toMatch(/^[2-9A-HJKMNP-TW-Z]{10}$/)
    }),
  )
})

test("draws each character independently from the whole alphabet", () => {
  const requests: number[] = []
  newCredentials((below) => {
    requests.push(below)
    return below - 1
  })
  expect(requests).toEqual([...Array(8).fill(29), ...Array(10).fill(10)])
})

test("order numbers differ when the random numbers differ in one place", () => {
  expect(newOrderNumber(drawing([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))).not.toBe(newOrderNumber(drawing([0])))
})
