import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { inMemory, MAX_COUNTERS } from "./rate-limit-store.server"

const SECONDS = 60

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limiterOfOne = () => inMemory({ name: "orders", points: 1, seconds: SECONDS })

async function count(limiter: ReturnType<typeof limiterOfOne>, keys: number): Promise<void> {
  for (let nth = 1; nth <= keys; nth++) await limiter.consume(`key ${nth}`)
}

test("counters in memory are bounded, and those that end first are deleted", async () => {
  const limiter = limiterOfOne()
  await count(limiter, MAX_COUNTERS + 3)
  expect(await limiter.get("key 3")).toBeNull()
  await expect(limiter.consume("key 4")).rejects.toMatchObject({ remainingPoints: 0 })
  await expect(limiter.consume(`key ${MAX_COUNTERS + 3}`)).rejects.toMatchObject({ remainingPoints: 0 })
})

test("released attempts are bounded like counted ones", async () => {
  const limiter = limiterOfOne()
  for (let nth = 0; nth <= MAX_COUNTERS; nth++) await limiter.reward(`key ${nth}`)
  expect(await limiter.get("key 0")).toBeNull()
  expect(await limiter.get("key 1")).toMatchObject({ consumedPoints: -1 })
})

test("a counter begins anew after its period, and others take no place then", async () => {
  const limiter = limiterOfOne()
  await count(limiter, MAX_COUNTERS)
  vi.advanceTimersByTime(SECONDS * 1_000 + 1)
  expect(await limiter.get("key 1")).toBeNull()
  await count(limiter, MAX_COUNTERS)
  await expect(limiter.consume("key 1")).rejects.toMatchObject({ remainingPoints: 0 })
})

test("a deleted counter gives its place up and begins anew", async () => {
  const limiter = limiterOfOne()
  await count(limiter, MAX_COUNTERS)
  await limiter.delete("key 2")
  await limiter.consume("another")
  await expect(limiter.consume("key 1")).rejects.toMatchObject({ remainingPoints: 0 })
  await limiter.consume("key 2")
  expect(await limiter.get("key 1")).toBeNull()
})
