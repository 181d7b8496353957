import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createPriorityQueue, type PriorityQueue } from "./priority-queue.server"

const LONG = 60_000

let clock = 0
beforeEach(() => {
  vi.useFakeTimers()
  clock = 1_000
  vi.spyOn(performance, "now").mockImplementation(() => clock)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test("starts a single item immediately, and more within the slice", () => {
  const queue = createPriorityQueue([LONG])
  for (let nth = 0; nth < 5; nth++) expect(queue.acquire(0)).toBe(true)
})

test("starts one item per event-loop iteration beyond the slice", async () => {
  const { queue, started } = fullQueue([LONG])
  for (const name of ["first", "second", "third"]) void started.by(name, queue.acquire(0))
  expect(started.names).toEqual([])
  await vi.advanceTimersToNextTimerAsync()
  expect(started.names).toEqual(["first"])
  await vi.advanceTimersToNextTimerAsync()
  expect(started.names).toEqual(["first", "second"])
})

test("starts a higher priority class first, however late it arrives", async () => {
  const { queue, started } = fullQueue([LONG, LONG])
  void started.by("newcomer", queue.acquire(1))
  void started.by("gateway", queue.acquire(0))
  await vi.runAllTimersAsync()
  expect(started.names).toEqual(["gateway", "newcomer"])
})

test("reports how long the first of a class waits, and rejects after the maximum wait", async () => {
  const { queue, started } = fullQueue([LONG, 1_000])
  void started.by("late", queue.acquire(1))
  for (let nth = 0; nth < 3; nth++) void started.by(`busy ${nth}`, queue.acquire(0), 600)
  expect(queue.waited(1)).toBe(0)
  await vi.advanceTimersToNextTimerAsync()
  expect([queue.waited(0), queue.waited(1)]).toEqual([600, 600])
  await vi.runAllTimersAsync()
  expect(started.names).toEqual(["busy 0", "busy 1", "not late", "busy 2"])
  expect(queue.waited(1)).toBe(0)
})

test("starts work immediately again when the queue is empty", async () => {
  const { queue, started } = fullQueue([LONG])
  void started.by("last", queue.acquire(0))
  await vi.runAllTimersAsync()
  expect(queue.acquire(0)).toBe(true)
})

test("starts nothing while new connections arrive, so that priority holds among them", async () => {
  const { queue, started } = fullQueue([LONG, LONG])
  void started.by("newcomer", queue.acquire(1))
  for (let nth = 0; nth < 3; nth++) {
    queue.arrived()
    await vi.advanceTimersToNextTimerAsync()
  }
  void started.by("gateway, on a new connection", queue.acquire(0))
  expect(started.names).toEqual([])
  await vi.runAllTimersAsync()
  expect(started.names).toEqual(["gateway, on a new connection", "newcomer"])
})

test("a constant stream of connections delays queued work by at most 10 ms at a time", async () => {
  const { queue, started } = fullQueue([LONG])
  for (const name of ["first", "second"]) void started.by(name, queue.acquire(0))
  const rounds: string[][] = []
  for (let nth = 0; nth < 8; nth++) {
    queue.arrived()
    await vi.advanceTimersToNextTimerAsync()
    rounds.push([...started.names])
    clock += 5
  }
  expect(rounds.map(({ length }) => length)).toEqual([0, 0, 1, 1, 1, 2, 2, 2])
})

test("queues what arrives after work until no more arrives, even when the queue is empty", async () => {
  const queue = createPriorityQueue([LONG, LONG])
  void queue.acquire(1)
  queue.arrived()
  await vi.advanceTimersToNextTimerAsync()
  expect(queue.acquire(1)).toBeInstanceOf(Promise)
})

/** A queue whose current event-loop iteration has exceeded its slice. */
function fullQueue(maxWaits: readonly number[]) {
  const queue: PriorityQueue = createPriorityQueue(maxWaits)
  void queue.acquire(0)
  const names: string[] = []
  /** `takes`: duration of the work in milliseconds. */
  const by = async (name: string, admission: Promise<boolean> | true, takes = 0) => {
    names.push((await admission) ? name : `not ${name}`)
    clock += takes
  }
  clock += 30
  return { queue, started: { names, by } }
}
