import type { Logger } from "pino"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Circuit, createCircuit } from "~/http/circuit"

/** Consecutive failures that open a circuit. */
const MAX_FAILURES = 5
/** Time between two trials of an open circuit: short at first, since a restart takes seconds. The last one repeats. */
const TRIAL_PAUSES = [0.5 * SECOND, 1 * SECOND, 2 * SECOND] as const

/**
 * Creates the circuit of a gateway, or of gateways of one upstream: an unavailable one gets one request every two seconds.
 * `log` gets a line per opening and closing.
 */
export function gatewayCircuit({ now, log }: { now: () => Instant; log: Logger }): Circuit {
  return createCircuit({
    now,
    maxFailures: MAX_FAILURES,
    trialPauses: TRIAL_PAUSES,
    onOpened: () => log.error({ retryEveryMs: TRIAL_PAUSES[2] }, "circuit opened for gateway"),
    onClosed: () => log.info("circuit closed for gateway"),
  })
}
