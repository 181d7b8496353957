import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { looksLikeFile } from "./static-files.server"

/** Of what is turned away one line is written in this time, with the number. */
const TOLD_EVERY = 10 * SECOND

/**
 * Who is turned away when. Whoever has only come loses least, so he goes first: a page he waits longer for he leaves
 * anyway. Whoever is on the way to an order or a service keeps being served, since his next step ends the crowd, too.
 * Gateways report money; they call again when they are refused, so even theirs has an end before the process does.
 * `places`: of how many times as many requests under way; `lag`: after how long a round of the event loop.
 */
const marks = {
  newcomer: { places: 1, lag: 2 * SECOND },
  buyer: { places: 2, lag: 8 * SECOND },
  gateway: { places: 4, lag: 16 * SECOND },
} as const

type Rank = keyof typeof marks

type Measures = {
  /** How many requests may be under way while newcomers are still let in. */
  most: number
  /** For how many milliseconds the process has been too busy to look at who is there. */
  lag: () => number
  log: Logger
}

export type Admission = {
  /** Whether it can be taken on now; who is not let in is counted in the log. */
  admits(incoming: IncomingMessage): boolean
  /** Carries out what has been let in: its place is taken until the work is done, not while bytes come and go. */
  during<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Turns requests away while more come than this process can take on, so that those inside are served in time. Files
 * and the question whether the shop is well are always answered.
 */
export function admission({ most, lag, log }: Measures): Admission {
  let underWay = 0
  const turnedAway = counted(log, () => ({ underWay, lag: Math.round(lag()) }))
  return {
    admits(incoming) {
      const rank = rankOf(incoming)
      if (rank === null) return true
      const mark = marks[rank]
      if (underWay < mark.places * most && lag() < mark.lag) return true
      turnedAway()
      return false
    },
    async during(work) {
      underWay++
      try {
        return await work()
      } finally {
        underWay--
      }
    },
  }
}

/** Null: always let in. */
function rankOf({ url = "/", method, headers: { cookie = "" } }: IncomingMessage): Rank | null {
  const path = url.split("?", 1)[0] ?? "/"
  if (looksLikeFile(path) || path === `${BASE}/api/health`) return null
  if (path.startsWith(`${BASE}/api/payments/`)) return "gateway"
  // Another shop that asks the API asks for its buyers.
  const begun = path.startsWith(`${BASE}/api/`) || /(^|;\s*)checkout=/.test(cookie)
  return begun || (method !== "GET" && method !== "HEAD") ? "buyer" : "newcomer"
}

/** A crowd must not fill the log as well: the first is told at once, the others by their number. */
function counted(log: Logger, state: () => object): () => void {
  let since = 0
  let next: NodeJS.Timeout | undefined
  const tell = () => {
    log.warn({ turnedAway: since, ...state() }, "more came than could be taken on")
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
