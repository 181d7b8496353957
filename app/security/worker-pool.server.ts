import { once } from "node:events"
import type { Worker } from "node:worker_threads"

/** There is more to do than can be done soon, or the thread that did it has failed twice. Nothing has been done. */
export class PoolOverloaded extends Error {
  override name = "PoolOverloaded"

  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export type PoolOptions = {
  readonly start: () => Worker
  /** How many tasks are carried out at once. */
  readonly threads: number
  /** How many may wait; whatever comes beyond them is refused. */
  readonly maxQueued: number
  /** How long a task may take, in milliseconds, before its thread is ended. */
  readonly timeoutMs: number
}

export type WorkerPool<Task, Result> = {
  /** Throws `PoolOverloaded`. */
  run(task: Task): Promise<Result>
}

type Job<Task, Result> = PromiseWithResolvers<Result> & { readonly task: Task; hasFailed: boolean }
type Thread = { readonly worker: Worker; readonly ended: AbortSignal }

const RETRY_AFTER_SECONDS = 5

/**
 * Threads of our own for work that would hold up the event loop, or Node's own threads, which bring to the disk what
 * has been written. They are started when they are needed, and one that has failed is replaced. A thread answers each
 * message with one message; a task that fails ends it, and is tried once more.
 */
export function workerPool<Task, Result>(options: PoolOptions): WorkerPool<Task, Result> {
  const { start, threads, maxQueued, timeoutMs } = options
  const queue: Job<Task, Result>[] = []
  const idle: Thread[] = []
  let busy = 0

  function startThread(): Thread {
    const worker = start()
    const end = new AbortController()
    const thread = { worker, ended: end.signal }
    const gone = () => {
      end.abort(new Error("The thread has ended"))
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    }
    // Without a listener an error of an idle thread would end the process.
    worker.on("error", gone).once("exit", gone)
    return thread
  }

  async function runJob(job: Job<Task, Result>): Promise<void> {
    busy++
    try {
      job.resolve(await resultOf(job.task))
    } catch (cause) {
      retryOnce(job, cause)
    } finally {
      busy--
      next()
    }
  }

  async function resultOf(task: Task): Promise<Result> {
    const thread = idle.pop() ?? startThread()
    const { worker, ended } = thread
    // Only a thread that has something to do keeps the process alive.
    worker.ref()
    try {
      worker.postMessage(task)
      const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
      const [result] = await once(worker, "message", { signal })
      worker.unref()
      idle.push(thread)
      return result
    } catch (cause) {
      void worker.terminate()
      throw cause
    }
  }

  function retryOnce(job: Job<Task, Result>, cause: unknown): void {
    if (job.hasFailed) job.reject(new PoolOverloaded("The task has failed", RETRY_AFTER_SECONDS, { cause }))
    else queue.unshift(job)
    job.hasFailed = true
  }

  function next(): void {
    while (busy < threads) {
      const job = queue.shift()
      if (!job) return
      void runJob(job)
    }
  }

  return {
    run(task) {
      if (busy >= threads && queue.length >= maxQueued) {
        return Promise.reject(new PoolOverloaded("The queue is full", RETRY_AFTER_SECONDS))
      }
      const job = { ...Promise.withResolvers<Result>(), task, hasFailed: false }
      queue.push(job)
      next()
      return job.promise
    },
  }
}
