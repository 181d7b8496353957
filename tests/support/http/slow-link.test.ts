import { expect, test } from "vitest"
import { FIRST_FLIGHT } from "./first-flight"
import { downlink } from "./slow-link"

/** So fast that only its round trips take time. */
const fast = { roundTrip: 100, rate: 1_000_000 }

/** Milliseconds until the last byte of a page of this size has arrived. */
function arrivalOf(size: number, link = fast): number {
  return Math.round(downlink(link).connection()(size, 0))
}

test("a page within ten segments arrives after half a round trip", () => {
  expect(arrivalOf(1)).toBe(50)
  expect(arrivalOf(FIRST_FLIGHT)).toBe(50)
})

test("each further flight takes a round trip and is twice as large", () => {
  expect(arrivalOf(FIRST_FLIGHT + 1)).toBe(150)
  expect(arrivalOf(3 * FIRST_FLIGHT)).toBe(150)
  expect(arrivalOf(3 * FIRST_FLIGHT + 1)).toBe(250)
})

test("a slow link needs the time of its rate", () => {
  expect(arrivalOf(FIRST_FLIGHT, { roundTrip: 100, rate: 10 })).toBe(50 + FIRST_FLIGHT / 10)
})

test("what was sent after a pause finds the window that has grown", () => {
  const arrive = downlink(fast).connection()
  arrive(FIRST_FLIGHT, 0)
  expect(Math.round(arrive(2 * FIRST_FLIGHT, 1_000))).toBe(1_050)
})

test("connections share the rate, and each begins with a window of its own", () => {
  const { connection } = downlink({ roundTrip: 100, rate: 10 })
  expect(connection()(FIRST_FLIGHT, 0)).toBe(50 + FIRST_FLIGHT / 10)
  expect(connection()(FIRST_FLIGHT, 0)).toBe(50 + (2 * FIRST_FLIGHT) / 10)
})
