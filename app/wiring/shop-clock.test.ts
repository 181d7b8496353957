import { pino } from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { DAY, SECOND } from "~/domain/calendar"
import { shopClock } from "./shop-clock.server"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("when the sandbox's clock is moved, the shop's time follows and its passes are woken once", async () => {
  let ahead = 0
  const onMoved = vi.fn()
  const clock = shopClock()
  const admin = { clockAhead: async () => ahead }
  const stop = await clock.follow(admin, { log: pino({ enabled: false }), onMoved })
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(onMoved).not.toHaveBeenCalled()
  ahead = 30 * DAY
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(clock.now()).toBe(Date.now() + 30 * DAY)
  expect(onMoved).toHaveBeenCalledTimes(1)
  stop()
  ahead = 60 * DAY
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(clock.ahead()).toBe(30 * DAY)
})
