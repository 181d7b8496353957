import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"
import { looksLikeFile } from "~/server/static-files.server"
import { openTurns } from "./priority-queue.server"

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

export type Admission = {
  /** Whether there is room for it now; who is not let in is counted in the log. */
  admits(incoming: IncomingMessage): boolean
  /**
   * Carries out what has been let in when it is its turn. Its place is taken until the work is done, not while bytes
   * come and go. Throws `TurnMissed` when its turn has not come in time.
   */
  inTurn<T>(incoming: IncomingMessage, work: () => Promise<T>): Promise<T>
}

export class TurnMissed extends Error {
  override name = "TurnMissed"
}

/**
 * Turns requests away while more come than this process can take on, so that those inside are served in time. Files
 * and the question whether the shop is well are always answered. `most`: how many requests may be under way while
 * newcomers are let in.
 */
export function admission({ most, log }: { most: number; log: Logger }): Admission {
  let underWay = 0
  const turns = openTurns(marks.map(({ patience }) => patience))
  const turnedAway = counted(log, () => underWay)
  const hasRoom = (line: number) => {
    const { places = 0, patience = 0 } = marks[line] ?? {}
    return underWay < places * most && turns.waited(line) < patience
  }
  return {
    admits(incoming) {
      const line = lineOf(incoming)
      const letIn = line === null || hasRoom(line)
      if (!letIn) turnedAway()
      return letIn
    },
    async inTurn(incoming, work) {
      const line = lineOf(incoming)
      underWay++
      try {
        if (line === null || (await turns.take(line))) return await work()
        turnedAway()
        throw new TurnMissed("Too many were ahead for too long")
      } finally {
        underWay--
      }
    },
  }
}

/** Null: waits for nobody. */
function lineOf(incoming: IncomingMessage): number | null {
  const who = whoIn(incoming)
  return who && marks.findIndex((it) => it.who === who)
}

function whoIn({ url = "/", method, headers: { cookie = "" } }: IncomingMessage): Who | null {
  const path = url.split("?", 1)[0] ?? "/"
  if (looksLikeFile(path) || path === `${BASE}/api/health`) return null
  if (path.startsWith(`${BASE}/api/payments/`)) return "gateway"
  // Another shop that asks the API asks for its buyers.
  const begun = path.startsWith(`${BASE}/api/`) || /(^|;\s*)checkout=/.test(cookie)
  return begun || (method !== "GET" && method !== "HEAD") ? "buyer" : "newcomer"
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
