import {
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from "cockatiel"
import type { Logger } from "pino"
import { SECOND } from "~/domain/calendar"
import { type Gateway, GatewayError, type MonitoredGateway } from "./gateway"

/** As many failures in a row are no accident. */
const MAX_FAILURES = 5
const PAUSE = 30 * SECOND

/**
 * A gateway that is spared while it does not answer: after several failures in a row every question is answered at
 * once with a `GatewayError` (`unavailable`). When the pause is over the next question is the trial; whoever asks
 * meanwhile does not wait for it. A refusal is an answer: it shows that the gateway works. Callbacks are always read.
 * Of questions `most` wait at once: one that answers after many seconds must not gather all that the shop can have
 * under way, so whoever comes then is told the same, and can take another gateway.
 */
export function withCircuitBreaker(
  gateway: Gateway,
  { maxConcurrent, log }: { maxConcurrent: number; log: Logger },
): MonitoredGateway {
  const share = bulkhead(maxConcurrent)
  const breaker = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: PAUSE,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  })
  logChanges(breaker, log.child({ gateway: gateway.id }))
  const healthy = () => breaker.state === CircuitState.Closed
  const spared = () =>
    new GatewayError("unavailable", `${gateway.id} has not answered lately and is not asked`)
  const full = () =>
    new GatewayError("unavailable", `${gateway.id} is not asked while ${maxConcurrent} wait for it`)

  async function asked<T>(call: () => Promise<T>): Promise<T> {
    // The library would have the others wait for the outcome of the trial.
    if (breaker.state === CircuitState.HalfOpen) throw spared()
    const outcome = await share
      .execute(() => breaker.execute(() => outcomeOf(call)))
      .catch((error: unknown) => Promise.reject(toGatewayError(error)))
    return outcome()
  }

  function toGatewayError(error: unknown): unknown {
    if (isBulkheadRejectedError(error)) return full()
    return isBrokenCircuitError(error) ? spared() : error
  }

  const { onSite } = gateway
  return {
    ...gateway,
    // Some know only later where they lead to.
    get origins() {
      return gateway.origins
    },
    healthy,
    onSite: onSite && {
      coins: () => asked(() => onSite.coins()),
      transfer: (payment) => asked(() => onSite.transfer(payment)),
    },
    startPayment: (payment) => asked(() => gateway.startPayment(payment)),
    fetchPayment: (payment) => asked(() => gateway.fetchPayment(payment)),
    // A provider that cannot close payments "answers" without being asked, so success shows nothing; failure counts.
    async closePayment(payment) {
      if (!healthy()) throw spared()
      return gateway.closePayment(payment).catch((error: unknown) => asked(() => Promise.reject(error)))
    },
  }
}

/** A refusal is handed through as an outcome, so that it ends a row of failures as any other answer does. */
async function outcomeOf<T>(call: () => Promise<T>): Promise<() => T> {
  try {
    const answer = await call()
    return () => answer
  } catch (error) {
    if (!(error instanceof GatewayError) || isFailure(error)) throw error
    return () => {
      throw error
    }
  }
}

/** Anything else that is thrown is a mistake of ours and says nothing of the provider. */
function isFailure(error: unknown): boolean {
  return error instanceof GatewayError && error.kind !== "refused"
}

type Breaker = ReturnType<typeof circuitBreaker>

/** One line when the trouble begins and one when it is over; failed trials in between are not news. */
function logChanges({ onBreak, onReset }: Breaker, log: Logger): void {
  let reported = false
  onBreak(() => {
    if (!reported) log.error({ retryEveryMs: PAUSE }, "circuit opened for gateway")
    reported = true
  })
  onReset(() => {
    reported = false
    log.info("circuit closed for gateway")
  })
}
