import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { SECOND } from "~/domain/calendar"
import { readEachSecond } from "./read-each-second.server"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("a reading that takes long is waited for, so that none pile up while the database is away", async () => {
  const readings: PromiseWithResolvers<void>[] = []
  const stop = readEachSecond(
    () => {
      const reading = Promise.withResolvers<void>()
      readings.push(reading)
      return reading.promise
    },
    () => {},
  )
  await vi.advanceTimersByTimeAsync(30 * SECOND)
  expect(readings).toHaveLength(1)
  readings[0]?.resolve()
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(readings).toHaveLength(2)
  stop()
})

test("that nothing can be read is reported once, and again after a reading that succeeded", async () => {
  let isAway = true
  const reported: unknown[] = []
  const stop = readEachSecond(
    async () => {
      if (isAway) throw new Error("away")
    },
    (error) => reported.push(error),
  )
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(reported).toHaveLength(1)
  isAway = false
  await vi.advanceTimersByTimeAsync(SECOND)
  isAway = true
  await vi.advanceTimersByTimeAsync(SECOND)
  expect(reported).toHaveLength(2)
  stop()
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(reported).toHaveLength(2)
})
