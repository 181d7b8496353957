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

/** Consecutive failures that open the circuit. */
const MAX_FAILURES = 5
const PAUSE = 30 * SECOND

/**
 * Adds a circuit breaker and a bulkhead to a gateway.
 *
 * After 5 consecutive failures the circuit opens: calls fail immediately with a `GatewayError` (`unavailable`). After
 * 30 seconds the next call is the trial; concurrent calls fail immediately instead of waiting for its outcome.
 * `refused` is a response, so it resets the failure count. Callbacks are parsed in every state.
 *
 * At most `maxConcurrent` calls run concurrently, so that a slow gateway cannot hold all requests of the shop. Further
 * calls fail with `unavailable`, and the buyer can choose another gateway.
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
  const spared = () => new GatewayError("unavailable", `Circuit open: no request sent to ${gateway.id}`)
  const full = () =>
    new GatewayError(
      "unavailable",
      `Concurrency limit reached: ${maxConcurrent} requests to ${gateway.id} in flight`,
    )

  async function execute<T>(call: () => Promise<T>): Promise<T> {
    // cockatiel would make concurrent calls wait for the outcome of the trial.
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
    // A getter, because some gateways learn their origins after start-up.
    get origins() {
      return gateway.origins
    },
    healthy,
    onSite: onSite && {
      coins: () => execute(() => onSite.coins()),
      transfer: (payment) => execute(() => onSite.transfer(payment)),
    },
    startPayment: (payment) => execute(() => gateway.startPayment(payment)),
    fetchPayment: (payment) => execute(() => gateway.fetchPayment(payment)),
    // Some adapters return `stays-open` without a request, so success proves nothing; only a failure counts.
    async closePayment(payment) {
      if (!healthy()) throw spared()
      return gateway.closePayment(payment).catch((error: unknown) => execute(() => Promise.reject(error)))
    },
  }
}

/** Turns `refused` into an outcome, so that it resets the failure count like any other response. */
async function outcomeOf<T>(call: () => Promise<T>): Promise<() => T> {
  try {
    const result = await call()
    return () => result
  } catch (error) {
    if (!(error instanceof GatewayError) || isFailure(error)) throw error
    return () => {
      throw error
    }
  }
}

/** Any other exception is a defect in this program and does not indicate a gateway failure. */
function isFailure(error: unknown): boolean {
  return error instanceof GatewayError && error.kind !== "refused"
}

type Breaker = ReturnType<typeof circuitBreaker>

/** Logs one line when the circuit opens and one when it closes; failed trials in between are not logged. */
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
