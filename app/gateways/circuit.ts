import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import type { GatewayHealth } from "./gateway"

/** Consecutive failures that open a circuit. */
const MAX_FAILURES = 5
/** Time between two trials of an open circuit: short at first, since a restart takes seconds. The last one repeats. */
const TRIAL_PAUSES = [0.5 * SECOND, 1 * SECOND, 2 * SECOND] as const
const LONGEST_PAUSE = TRIAL_PAUSES[2]

/** State of one upstream, shared by all gateways that call it. */
export type Circuit = {
  /** False from the fifth consecutive failure until the next success. */
  closed(): boolean
  /** Whether a call may be sent now. An open circuit admits one call per pause, as a trial. */
  admits(): boolean
  /** Any success closes the circuit, also one of a call sent before it opened. */
  succeeded(): void
  failed(): void
  health(): GatewayHealth
}

/**
 * Creates a closed circuit. Pauses count from the start of a trial: one that hangs until its timeout keeps no later
 * call out, and an unavailable upstream gets one request every two seconds. `log` gets a line per opening and closing.
 */
export function createCircuit({ now, log }: { now: () => Instant; log: Logger }): Circuit {
  let failures = 0
  let failingSince: Instant | null = null
  let lastSuccessAt: Instant | null = null
  let trials = 0
  let nextTrialAt: Instant = 0
  const closed = () => failures < MAX_FAILURES

  function pauseBeforeTrial(): void {
    nextTrialAt = now() + (TRIAL_PAUSES[trials] ?? LONGEST_PAUSE)
    trials++
  }

  return {
    closed,
    admits() {
      if (closed()) return true
      if (now() < nextTrialAt) return false
      pauseBeforeTrial()
      return true
    },
    succeeded() {
      if (!closed()) log.info("circuit closed for gateway")
      failures = 0
      failingSince = null
      lastSuccessAt = now()
    },
    failed() {
      const wasClosed = closed()
      failures++
      failingSince ??= now()
      if (!wasClosed || closed()) return
      trials = 0
      pauseBeforeTrial()
      log.error({ retryEveryMs: LONGEST_PAUSE }, "circuit opened for gateway")
    },
    health: () => ({ downSince: closed() ? null : failingSince, lastSuccessAt }),
  }
}
