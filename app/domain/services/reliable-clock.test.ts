import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "../calendar"
import { type ClockWatch, RELIED_ON_AFTER, watchClock } from "./reliable-clock"

const NOON = Date.UTC(2026, 5, 15, 12)

/** Reads a clock once a minute: so many minutes, in which it is ahead by some time. Returns whether it is reliable after each. */
function read(...spans: readonly (readonly [minutes: number, ahead: number])[]): boolean[] {
  let watch: ClockWatch | null = null
  let steady = 0
  return spans.flatMap(([minutes, ahead]) =>
    Array.from({ length: minutes }, () => {
      steady += MINUTE
      watch = watchClock(watch, { wall: NOON + steady + ahead, steady })
      return watch.ahead === null
    }),
  )
}

const isReliable = (minutes: number) => Array<boolean>(minutes).fill(true)
const isNot = (minutes: number) => Array<boolean>(minutes).fill(false)

test("a clock that is moved ahead is not reliable until it is set back", () => {
  expect(read([2, 0], [5, 365 * DAY], [2, 0])).toEqual([...isReliable(2), ...isNot(5), ...isReliable(2)])
})

test("a clock that is set back until it is an hour ahead is reliable", () => {
  expect(read([1, 0], [2, 3 * HOUR], [2, HOUR])).toEqual([...isReliable(1), ...isNot(2), ...isReliable(2)])
})

test("a clock that stays ahead is relied on after an hour, and so is one that is moved again", () => {
  const hour = RELIED_ON_AFTER / MINUTE
  expect(read([1, 0], [hour + 2, DAY])).toEqual([...isReliable(1), ...isNot(hour), ...isReliable(2)])
  expect(read([1, 0], [30, DAY], [hour + 1, 3 * DAY])).toEqual([
    ...isReliable(1),
    ...isNot(30 + hour),
    ...isReliable(1),
  ])
})

test("a clock that is set back, moved by less than an hour, or slow and fast is reliable", () => {
  expect(read([1, DAY], [2, 0])).toEqual(isReliable(3))
  expect(read([1, 0], [2, HOUR - 1])).toEqual(isReliable(3))
  const drifting = Array.from({ length: 200 }, (_, at) => [1, at * MINUTE] as const)
  expect(read(...drifting)).toEqual(isReliable(200))
})
