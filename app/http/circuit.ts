import type { Instant } from "~/domain/calendar"

type CircuitSettings = {
  readonly now: () => Instant
  /** Consecutive failures that open the circuit. */
  readonly maxFailures: number
  /** Milliseconds between two trials of an open circuit. The last one repeats. */
  readonly trialPauses: readonly [number, ...number[]]
  readonly onOpened?: () => void
  readonly onClosed?: () => void
}

/** State of one upstream, shared by all that call it. */
export type Circuit = {
  /** False from the last of the consecutive failures that opened it until the next success. */
  closed(): boolean
  /** Whether a call may be sent now. An open circuit admits one call per pause, as a trial. */
  admits(): boolean
  /** Any success closes the circuit, also one of a call sent before it opened. */
  succeeded(): void
  failed(): void
  health(): CircuitHealth
}

export type CircuitHealth = {
  /** When the first of the failures began that opened the circuit; null while it is closed. */
  readonly downSince: Instant | null
  /** Null: no call has succeeded since the start. */
  readonly lastSuccessAt: Instant | null
}

/**
 * Creates a closed circuit. Pauses count from the start of a trial: one that hangs until its timeout keeps no later
 * call out.
 */
export function createCircuit(settings: CircuitSettings): Circuit {
  const { now, maxFailures, trialPauses, onOpened, onClosed } = settings
  let failures = 0
  let failingSince: Instant | null = null
  let lastSuccessAt: Instant | null = null
  let trials = 0
  let nextTrialAt: Instant = 0
  const closed = () => failures < maxFailures

  function pauseBeforeTrial(): void {
    nextTrialAt = now() + (trialPauses[Math.min(trials, trialPauses.length - 1)] ?? trialPauses[0])
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
      if (!closed()) onClosed?.()
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
      onOpened?.()
    },
    health: () => ({ downSince: closed() ? null : failingSince, lastSuccessAt }),
  }
}
