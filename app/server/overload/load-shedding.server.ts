import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import { SESSION_COOKIE } from "~/context/session-cookie.server"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { createPriorityQueue } from "./priority-queue.server"
import { rejectedClients } from "./rejected-clients.server"

/** Rejected requests are logged once in this interval, with their number. */
const LOG_INTERVAL = 10 * SECOND

/**
 * Priority classes of admission control, highest first. Callbacks report money and gateways repeat them, so they are
 * rejected last. A client with a session is about to finish an order, which lowers the load. A new visitor loses least,
 * and leaves a page that takes longer anyway. `share`: requests in flight as a multiple of the limit; `maxWait`:
 * maximum wait in the queue.
 */
const marks = [
  { who: "gateway", share: 4, maxWait: 25 * SECOND },
  { who: "buyer", share: 2, maxWait: 15 * SECOND },
  { who: "newcomer", share: 1, maxWait: 5 * SECOND },
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
  recordResponse(incoming: IncomingRequest, status: number): void
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
  let inFlight = 0
  const refused = rejectedClients()
  const queue = createPriorityQueue(marks.map(({ maxWait }) => maxWait))
  const countRejection = counted(log, () => inFlight)
  const hasRoom = (line: number) => {
    const { share = 0, maxWait = 0 } = marks[line] ?? {}
    return inFlight < share * maxConcurrent && queue.waited(line) < maxWait
  }
  return {
    arrived: queue.arrived,
    admits(incoming) {
      const isAdmitted = hasRoom(classOf(incoming))
      if (!isAdmitted) countRejection()
      return isAdmitted
    },
    async run(incoming, work) {
      const line = classOf(incoming)
      inFlight++
      try {
        if (await queue.acquire(line)) return await work()
        countRejection()
        throw new QueueTimeoutError("Maximum queue wait exceeded")
      } finally {
        inFlight--
      }
    },
    recordResponse({ incoming, address }, status) {
      if (isCallback(incoming)) refused.recordResponse(address, status)
    },
  }

  function classOf(incoming: IncomingRequest): number {
    const who = whoIn(incoming)
    return marks.findIndex((it) => it.who === who)
  }

  /** The path alone gives no priority: an API call needs a valid key, and a callback's address must not have been rejected. */
  function whoIn({ incoming, address }: IncomingRequest): Who {
    if (isCallback(incoming)) return refused.has(address) ? "newcomer" : "gateway"
    return isReturning(incoming, isKey) ? "buyer" : "newcomer"
  }
}

const sessionIn = new RegExp(`(^|;\\s*)${SESSION_COOKIE}=`)

/** A client with a session cookie, a submitted form, or an API call with a valid key. */
function isReturning({ url = "/", method, headers }: IncomingMessage, isKey: Options["isKey"]): boolean {
  if (sessionIn.test(headers.cookie ?? "")) return true
  return url.startsWith(`${BASE}/api/`) ? isKey(keyIn(headers)) : method !== "GET" && method !== "HEAD"
}

const callbackAddress = new RegExp(`^${BASE}/api/payments/[\\w-]+/callback/?(\\?|$)`)

/** The whole path, since a path with ".." that begins alike may be any page. */
function isCallback({ url = "/", method }: IncomingMessage): boolean {
  return method === "POST" && callbackAddress.test(url)
}

function keyIn(headers: IncomingMessage["headers"]): string | null {
  const key = headers["x-api-key"]
  return typeof key === "string" ? key : null
}

/** Logs the first rejection immediately and the others as a count, so that overload does not flood the log. */
function counted(log: Logger, inFlight: () => number): () => void {
  let since = 0
  let next: NodeJS.Timeout | undefined
  const report = () => {
    log.warn({ rejected: since, inFlight: inFlight() }, "requests rejected: overload")
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
