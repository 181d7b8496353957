import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { createPriorityQueue } from "./priority-queue.server"
import { rejectedClients } from "./rejected-clients.server"

/** Rejected requests are logged once in this interval, with their number. */
const LOG_INTERVAL = 10 * SECOND

/**
 * Priority classes of admission control, highest first. Callbacks report money and gateways repeat them, so they are
 * rejected last. A client with a session is about to finish an order, which lowers the load. A new visitor loses least,
 * and leaves a page that takes longer anyway. `places`: requests in flight as a multiple of the limit; `patience`:
 * maximum wait in the queue.
 */
const marks = [
  { who: "gateway", places: 4, patience: 25 * SECOND },
  { who: "buyer", places: 2, patience: 15 * SECOND },
  { who: "newcomer", places: 1, patience: 5 * SECOND },
] as const

type Who = (typeof marks)[number]["who"]

/** A request, and the address of its client. */
type IncomingRequest = { readonly incoming: IncomingMessage; readonly address: string | null }

export type Admission = {
  /** Records that a connection or a request has arrived: see `PriorityQueue.arrived`. */
  arrived(): void
  /** Whether the request is admitted now; rejected ones are counted in the log. */
  admits(incoming: IncomingRequest): boolean
  /**
   * Runs admitted work in its priority class. It counts as in flight until the work is done, not while bytes are
   * received or sent. Throws `QueueTimeoutError` after the maximum wait.
   */
  run<T>(incoming: IncomingRequest, work: () => Promise<T>): Promise<T>
  /** Records the response's status: an address whose callbacks are rejected loses the gateways' priority for a while. */
  answered(incoming: IncomingRequest, status: number): void
}

type Options = { maxConcurrent: number; isKey: (key: string | null) => boolean; log: Logger }

export class QueueTimeoutError extends Error {
  override name = "QueueTimeoutError"
}

/**
 * Admission control (load shedding): rejects requests beyond the limit so that admitted ones are served in time.
 * `maxConcurrent`: requests in flight up to which new visitors are admitted. `isKey`: whether an API key of the served API is
 * valid.
 */
export function admission({ maxConcurrent, isKey, log }: Options): Admission {
  let underWay = 0
  const refused = rejectedClients()
  const turns = createPriorityQueue(marks.map(({ patience }) => patience))
  const turnedAway = counted(log, () => underWay)
  const hasRoom = (line: number) => {
    const { places = 0, patience = 0 } = marks[line] ?? {}
    return underWay < places * maxConcurrent && turns.waited(line) < patience
  }
  return {
    arrived: turns.arrived,
    admits(incoming) {
      const letIn = hasRoom(lineOf(incoming))
      if (!letIn) turnedAway()
      return letIn
    },
    async run(incoming, work) {
      const line = lineOf(incoming)
      underWay++
      try {
        if (await turns.take(line)) return await work()
        turnedAway()
        throw new QueueTimeoutError("Maximum queue wait exceeded")
      } finally {
        underWay--
      }
    },
    answered({ incoming, address }, status) {
      if (isCallback(incoming)) refused.answered(address, status)
    },
  }

  function lineOf(incoming: IncomingRequest): number {
    const who = whoIn(incoming)
    return marks.findIndex((it) => it.who === who)
  }

  /** The path alone gives no priority: an API call needs a valid key, and a callback's address must not have been rejected. */
  function whoIn({ incoming, address }: IncomingRequest): Who {
    if (isCallback(incoming)) return refused.has(address) ? "newcomer" : "gateway"
    return hasBegun(incoming, isKey) ? "buyer" : "newcomer"
  }
}

/** A client with a session cookie, a submitted form, or an API call with a valid key. */
function hasBegun({ url = "/", method, headers }: IncomingMessage, isKey: Options["isKey"]): boolean {
  if (/(^|;\s*)checkout=/.test(headers.cookie ?? "")) return true
  return url.startsWith(`${BASE}/api/`) ? isKey(keyIn(headers)) : method !== "GET" && method !== "HEAD"
}

function isCallback({ url = "/" }: IncomingMessage): boolean {
  return url.startsWith(`${BASE}/api/payments/`)
}

function keyIn(headers: IncomingMessage["headers"]): string | null {
  const key = headers["x-api-key"]
  return typeof key === "string" ? key : null
}

/** Logs the first rejection immediately and the others as a count, so that overload does not flood the log. */
function counted(log: Logger, underWay: () => number): () => void {
  let since = 0
  let next: NodeJS.Timeout | undefined
  const report = () => {
    log.warn({ rejected: since, inFlight: underWay() }, "requests rejected: overload")
    since = 0
    next = setTimeout(() => {
      next = undefined
      if (since > 0) report()
    }, LOG_INTERVAL).unref()
  }
  return () => {
    since++
    if (!next) report()
  }
}
