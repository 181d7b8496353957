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
  const turns = createPriorityQueue([LONG])
  for (let nth = 0; nth < 5; nth++) expect(turns.take(0)).toBe(true)
})

test("starts one item per event-loop iteration beyond the slice", async () => {
  const { turns, begun } = crowded([LONG])
  for (const name of ["first", "second", "third"]) void begun.by(name, turns.take(0))
  expect(begun.names).toEqual([])
  await vi.advanceTimersToNextTimerAsync()
  expect(begun.names).toEqual(["first"])
  await vi.advanceTimersToNextTimerAsync()
  expect(begun.names).toEqual(["first", "second"])
})

test("starts a higher priority class first, however late it arrives", async () => {
  const { turns, begun } = crowded([LONG, LONG])
  void begun.by("newcomer", turns.take(1))
  void begun.by("gateway", turns.take(0))
  await vi.runAllTimersAsync()
  expect(begun.names).toEqual(["gateway", "newcomer"])
})

test("reports how long the first of a class waits, and rejects after the maximum wait", async () => {
  const { turns, begun } = crowded([LONG, 1_000])
  void begun.by("late", turns.take(1))
  for (let nth = 0; nth < 3; nth++) void begun.by(`busy ${nth}`, turns.take(0), 600)
  expect(turns.waited(1)).toBe(0)
  await vi.advanceTimersToNextTimerAsync()
  expect([turns.waited(0), turns.waited(1)]).toEqual([600, 600])
  await vi.runAllTimersAsync()
  expect(begun.names).toEqual(["busy 0", "busy 1", "not late", "busy 2"])
  expect(turns.waited(1)).toBe(0)
})

test("starts work immediately again when the queue is empty", async () => {
  const { turns, begun } = crowded([LONG])
  void begun.by("last", turns.take(0))
  await vi.runAllTimersAsync()
  expect(turns.take(0)).toBe(true)
})

test("starts nothing while new connections arrive, so that priority holds among them", async () => {
  const { turns, begun } = crowded([LONG, LONG])
  void begun.by("newcomer", turns.take(1))
  for (let nth = 0; nth < 3; nth++) {
    turns.arrived()
    await vi.advanceTimersToNextTimerAsync()
  }
  void begun.by("gateway, on a new connection", turns.take(0))
  expect(begun.names).toEqual([])
  await vi.runAllTimersAsync()
  expect(begun.names).toEqual(["gateway, on a new connection", "newcomer"])
})

test("a constant stream of connections delays queued work by at most 10 ms at a time", async () => {
  const { turns, begun } = crowded([LONG])
  for (const name of ["first", "second"]) void begun.by(name, turns.take(0))
  const rounds: string[][] = []
  for (let nth = 0; nth < 8; nth++) {
    turns.arrived()
    await vi.advanceTimersToNextTimerAsync()
    rounds.push([...begun.names])
    clock += 5
  }
  expect(rounds.map(({ length }) => length)).toEqual([0, 0, 1, 1, 1, 2, 2, 2])
})

test("queues what arrives after work until no more arrives, even when the queue is empty", async () => {
  const turns = createPriorityQueue([LONG, LONG])
  void turns.take(1)
  turns.arrived()
  await vi.advanceTimersToNextTimerAsync()
  expect(turns.take(1)).toBeInstanceOf(Promise)
})

/** A queue whose current event-loop iteration has exceeded its slice. */
function crowded(patience: readonly number[]) {
  const turns: PriorityQueue = createPriorityQueue(patience)
  void turns.take(0)
  const names: string[] = []
  /** `takes`: duration of the work in milliseconds. */
  const by = async (name: string, turn: Promise<boolean> | true, takes = 0) => {
    names.push((await turn) ? name : `not ${name}`)
    clock += takes
  }
  clock += 30
  return { turns, begun: { names, by } }
}
