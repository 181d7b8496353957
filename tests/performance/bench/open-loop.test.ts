import { setTimeout as pause } from "node:timers/promises"
import { expect, test } from "vitest"
import { openLoop } from "./open-loop"

test("a slow action delays no later one", async () => {
  const started: number[] = []
  const { times } = await openLoop({ perSecond: 100, seconds: 0.1 }, async (nth) => {
    started.push(nth)
    if (nth === 0) await until(() => started.length === 10)
  })
  expect(started).toHaveLength(10)
  expect(times).toHaveLength(10)
})

test("an action that begins late is timed from the moment it was due", async () => {
  const { times } = await openLoop({ perSecond: 1_000, seconds: 0.003 }, async (nth) => {
    if (nth === 0) holdThread(60)
  })
  expect(times.every((it) => it > 50)).toBe(true)
})

test("a failed action has no time and is named", async () => {
  const { times, failures } = await openLoop({ perSecond: 100, seconds: 0.02 }, async (nth) => {
    if (nth === 1) throw new Error("503")
  })
  expect(times).toHaveLength(1)
  expect(failures).toEqual(["503"])
})

function holdThread(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(5)
}
