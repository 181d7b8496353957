import { setImmediate } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { expect, test, vi } from "vitest"
import { PoolOverloaded, workerPool } from "./worker-pool.server"

/** Answers what it is told to, waits until the counter is raised, ends, throws, or never answers. */
const program = `
  const { parentPort, workerData, threadId } = require("node:worker_threads")
  parentPort.on("message", (task) => {
    if (task === "end") process.exit(1)
    if (task === "throw") throw new Error("broken")
    if (task === "hang") for (;;);
    if (task === "wait") Atomics.wait(workerData, 0, 0)
    parentPort.postMessage(task === "who" ? threadId : task)
  })
`

function pool({ threads = 1, maxQueued = 2, timeoutMs = 20_000 } = {}) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const start = vi.fn(() => new Worker(program, { eval: true, workerData: gate }))
  const open = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { ...workerPool<string, string | number>({ start, threads, maxQueued, timeoutMs }), start, open }
}

test("tasks run in order, on threads that are started on demand", async () => {
  const { run, start } = pool({ maxQueued: 10 })
  expect(start).not.toHaveBeenCalled()
  expect(await Promise.all(["a", "b", "c"].map(run))).toEqual(["a", "b", "c"])
  expect(start).toHaveBeenCalledTimes(1)
})

test("a task beyond the queue's length is rejected immediately with a retry delay", async () => {
  const { run, open } = pool({ maxQueued: 2 })
  const accepted = ["wait", "b", "c"].map(run)
  await expect(run("d")).rejects.toMatchObject({
    name: "PoolOverloaded",
    retryAfterSeconds: expect.any(Number),
  })
  open()
  expect(await Promise.all(accepted)).toEqual(["wait", "b", "c"])
  expect(await run("e")).toBe("e")
})

test("no more tasks run concurrently than there are threads", async () => {
  const { run, start, open } = pool({ threads: 2, maxQueued: 10 })
  const accepted = ["wait", "wait", "wait", "d"].map(run)
  await setImmediate()
  expect(start).toHaveBeenCalledTimes(2)
  open()
  await Promise.all(accepted)
  expect(start).toHaveBeenCalledTimes(2)
})

test.each(["end", "throw"])(
  "a task that fails its thread (%s) is retried once, then rejected; queued tasks still run",
  async (task) => {
    const { run, start } = pool()
    const [failed, next] = await Promise.allSettled([run(task), run("next")])
    expect(failed).toMatchObject({ status: "rejected", reason: expect.any(PoolOverloaded) })
    expect(next).toMatchObject({ status: "fulfilled", value: "next" })
    expect(start).toHaveBeenCalledTimes(3)
  },
)

test("a thread that exceeds the time limit is terminated, and others run the remaining tasks", async () => {
  const limits: AbortController[] = []
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  const { run } = pool({ timeoutMs: 300 })
  const both = Promise.allSettled([run("hang"), run("next")])
  // The task is tried twice. The thread of the next one may take its time to start.
  limits[0]?.abort()
  await expect.poll(() => limits.length).toBe(2)
  limits[1]?.abort()
  const [hung, next] = await both
  expect(timeout.mock.calls).toEqual([[300], [300], [300]])
  expect(hung).toMatchObject({ status: "rejected", reason: expect.any(PoolOverloaded) })
  expect(next).toMatchObject({ status: "fulfilled", value: "next" })
})

test("a thread that exits while idle is replaced at the next task", async () => {
  const { run, start } = pool()
  const first = await run("who")
  await start.mock.results[0]?.value.terminate()
  expect(await run("who")).not.toBe(first)
})

test("a thread that cannot be started is a failure of its task, and later tasks find a free place", async () => {
  const { run, start } = pool()
  const noThreads = new Error("no more threads")
  start.mockImplementationOnce(() => {
    throw noThreads
  })
  expect(await run("a")).toBe("a")
  await start.mock.results.at(-1)?.value.terminate()
  for (let tries = 0; tries < 2; tries++) {
    start.mockImplementationOnce(() => {
      throw noThreads
    })
  }
  await expect(run("b")).rejects.toMatchObject({ name: "PoolOverloaded", cause: noThreads })
  expect(await run("c")).toBe("c")
})

test("a task that cannot be sent to a thread is rejected, and leaves no failure that nobody handles", async () => {
  const unhandled = vi.fn()
  process.on("unhandledRejection", unhandled)
  const { run } = pool()
  const cannotBeCloned = (() => {}) as unknown as string
  await expect(run(cannotBeCloned)).rejects.toBeInstanceOf(PoolOverloaded)
  expect(await run("next")).toBe("next")
  process.off("unhandledRejection", unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
