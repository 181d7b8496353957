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

test("what comes alone is begun at once, and so is more as long as it is little", () => {
  const turns = createPriorityQueue([LONG])
  for (let nth = 0; nth < 5; nth++) expect(turns.take(0)).toBe(true)
})

test("what is more than a slice of time is begun one in each round of the event loop", async () => {
  const { turns, begun } = crowded([LONG])
  for (const name of ["first", "second", "third"]) void begun.by(name, turns.take(0))
  expect(begun.names).toEqual([])
  await vi.advanceTimersToNextTimerAsync()
  expect(begun.names).toEqual(["first"])
  await vi.advanceTimersToNextTimerAsync()
  expect(begun.names).toEqual(["first", "second"])
})

test("whoever stands in a line further ahead goes first, however late he comes", async () => {
  const { turns, begun } = crowded([LONG, LONG])
  void begun.by("newcomer", turns.take(1))
  void begun.by("gateway", turns.take(0))
  await vi.runAllTimersAsync()
  expect(begun.names).toEqual(["gateway", "newcomer"])
})

test("a line knows how long its first has been waiting, and who waits for longer than he can is told so", async () => {
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

test("when the crowd has gone, work is begun at once again", async () => {
  const { turns, begun } = crowded([LONG])
  void begun.by("last", turns.take(0))
  await vi.runAllTimersAsync()
  expect(turns.take(0)).toBe(true)
})

test("nothing is begun while new connections arrive, so that the last to come is not the last to be seen", async () => {
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

test("connections that never end hold up what waits for 10 ms at a time", async () => {
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

test("what arrives after work stands in line until no more arrives, even when nobody waits", async () => {
  const turns = createPriorityQueue([LONG, LONG])
  void turns.take(1)
  turns.arrived()
  await vi.advanceTimersToNextTimerAsync()
  expect(turns.take(1)).toBeInstanceOf(Promise)
})

/** Turns of a round that has had more than its slice. */
function crowded(patience: readonly number[]) {
  const turns: PriorityQueue = createPriorityQueue(patience)
  void turns.take(0)
  const names: string[] = []
  /** `takes`: for how long the work keeps the process busy. */
  const by = async (name: string, turn: Promise<boolean> | true, takes = 0) => {
    names.push((await turn) ? name : `not ${name}`)
    clock += takes
  }
  clock += 30
  return { turns, begun: { names, by } }
}
