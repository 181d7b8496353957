import { type Logger, pino } from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { DAY, HOUR, SECOND } from "~/domain/calendar"
import { reliableClock, shopClock } from "./shop-clock.server"

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

test("a clock that is moved ahead is not reliable, which is logged once; that of a sandbox always is", () => {
  const logged: unknown[] = []
  const log = { error: (...args: unknown[]) => void logged.push(args) }
  let wall = 0
  const watched = { now: () => wall, log: log as unknown as Logger, isMovable: false }
  const [isReliable, isSandboxReliable] = [
    reliableClock(watched, () => 0),
    reliableClock({ ...watched, isMovable: true }, () => 0),
  ]
  expect([isReliable(), isSandboxReliable()]).toEqual([true, true])
  wall += 30 * HOUR
  expect([isReliable(), isReliable(), isSandboxReliable()]).toEqual([false, false, true])
  expect(logged).toEqual([[{ hours: 30 }, "clock moved ahead"]])
  wall -= 30 * HOUR
  expect(isReliable()).toBe(true)
})
