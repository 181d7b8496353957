import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { createPriorityQueue } from "./priority-queue.server"
import { refusedCallers } from "./refused-callers.server"

/** Of what is turned away one line is written in this time, with the number. */
const TOLD_EVERY = 10 * SECOND

/**
 * Who is turned away when, those who are served first ahead. Gateways report money; they call again when they are
 * refused, so even theirs has an end before the process does. Whoever is on the way to an order or a service leaves the
 * crowd with his next steps. Whoever has only come loses least: a page he waits longer for he leaves anyway.
 * `places`: so many times as many requests under way; `patience`: so long to wait for one's turn.
 */
const marks = [
  { who: "gateway", places: 4, patience: 25 * SECOND },
  { who: "buyer", places: 2, patience: 15 * SECOND },
  { who: "newcomer", places: 1, patience: 5 * SECOND },
] as const

type Who = (typeof marks)[number]["who"]

/** A request, and the address of its client. */
type Asked = { readonly incoming: IncomingMessage; readonly address: string | null }

export type Admission = {
  /** Says that a connection or a request has arrived: see `openTurns`. */
  arrived(): void
  /** Whether there is room for it now; who is not let in is counted in the log. */
  admits(asked: Asked): boolean
  /**
   * Carries out what has been let in when it is its turn. Its place is taken until the work is done, not while bytes
   * come and go. Throws `TurnMissed` when its turn has not come in time.
   */
  run<T>(asked: Asked, work: () => Promise<T>): Promise<T>
  /** Says what a request was answered: whose callbacks are refused loses the priority of gateways for a while. */
  answered(asked: Asked, status: number): void
}

type Options = { most: number; isKey: (key: string | null) => boolean; log: Logger }

export class QueueTimeoutError extends Error {
  override name = "TurnMissed"
}

/**
 * Turns requests away while more come than this process can take on, so that those inside are served in time. `most`:
 * how many requests may be under way while newcomers are let in. `isKey`: whether a key for the served API is right.
 */
export function admission({ most, isKey, log }: Options): Admission {
  let underWay = 0
  const refused = refusedCallers()
  const turns = createPriorityQueue(marks.map(({ patience }) => patience))
  const turnedAway = counted(log, () => underWay)
  const hasRoom = (line: number) => {
    const { places = 0, patience = 0 } = marks[line] ?? {}
    return underWay < places * most && turns.waited(line) < patience
  }
  return {
    arrived: turns.arrived,
    admits(asked) {
      const letIn = hasRoom(lineOf(asked))
      if (!letIn) turnedAway()
      return letIn
    },
    async run(asked, work) {
      const line = lineOf(asked)
      underWay++
      try {
        if (await turns.take(line)) return await work()
        turnedAway()
        throw new QueueTimeoutError("Too many were ahead for too long")
      } finally {
        underWay--
      }
    },
    answered({ incoming, address }, status) {
      if (isCallback(incoming)) refused.answered(address, status)
    },
  }

  function lineOf(asked: Asked): number {
    const who = whoIn(asked)
    return marks.findIndex((it) => it.who === who)
  }

  /** By the path alone anybody could go first: a call needs the operator's key, and a gateway must be believed. */
  function whoIn({ incoming, address }: Asked): Who {
    if (isCallback(incoming)) return refused.has(address) ? "newcomer" : "gateway"
    return hasBegun(incoming, isKey) ? "buyer" : "newcomer"
  }
}

/** Who has a session, sends a form, or is another shop that asks the API for its buyers. */
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

/** A crowd must not fill the log as well: the first is told at once, the others by their number. */
function counted(log: Logger, underWay: () => number): () => void {
  let since = 0
  let next: NodeJS.Timeout | undefined
  const tell = () => {
    log.warn({ turnedAway: since, underWay: underWay() }, "more came than could be taken on")
    since = 0
    next = setTimeout(() => {
      next = undefined
      if (since > 0) tell()
    }, TOLD_EVERY).unref()
  }
  return () => {
    since++
    if (!next) tell()
  }
}
