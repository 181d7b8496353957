import { bulkhead, isBulkheadRejectedError } from "cockatiel"
import type { Circuit } from "~/http/circuit"
import { type Gateway, GatewayError, type MonitoredGateway } from "./gateway"

/**
 * Adds a circuit breaker and a bulkhead to a gateway.
 *
 * After 5 consecutive failures the circuit opens: calls fail immediately with a `GatewayError` (`unavailable`). Every half
 * second to two seconds one call is sent as a trial, and the first success closes the circuit for all gateways that share
 * it. `refused` is a response, so it counts as a success. Callbacks are parsed in every state.
 *
 * At most `maxConcurrent` calls run concurrently, so that a slow gateway cannot hold all requests of the shop. Further
 * calls fail with `unavailable`, and the buyer can choose another gateway.
 */
export function withCircuitBreaker(
  gateway: Gateway,
  { maxConcurrent, circuit }: { maxConcurrent: number; circuit: Circuit },
): MonitoredGateway {
  const share = bulkhead(maxConcurrent)
  const healthy = () => circuit.closed()
  const spared = () => new GatewayError("unavailable", `Circuit open: no request sent to ${gateway.id}`)
  const full = () =>
    new GatewayError(
      "unavailable",
      `Concurrency limit reached: ${maxConcurrent} requests to ${gateway.id} in flight`,
    )

  async function execute<T>(call: () => Promise<T>): Promise<T> {
    try {
      // Inside the bulkhead: a call without room must not use up the trial.
      return await share.execute(() => (circuit.admits() ? reported(call) : Promise.reject(spared())))
    } catch (error) {
      throw isBulkheadRejectedError(error) ? full() : error
    }
  }

  async function reported<T>(call: () => Promise<T>): Promise<T> {
    const result = await call().catch(rethrowReported)
    circuit.succeeded()
    return result
  }

  /** Any other exception is a defect in this program and does not indicate a gateway failure. */
  function rethrowReported(error: unknown): never {
    if (error instanceof GatewayError && error.kind === "refused") circuit.succeeded()
    else if (error instanceof GatewayError) circuit.failed()
    throw error
  }

  const { onSite, refunds } = gateway
  return {
    ...gateway,
    // A getter, because some gateways learn their origins after start-up.
    get origins() {
      return gateway.origins
    },
    healthy,
    health: circuit.health,
    onSite: onSite && {
      coins: () => execute(() => onSite.coins()),
      transfer: (payment) => execute(() => onSite.transfer(payment)),
    },
    refunds: refunds && { ...refunds, refund: (refund) => execute(() => refunds.refund(refund)) },
    startPayment: (payment) => execute(() => gateway.startPayment(payment)),
    fetchPayment: (payment) => execute(() => gateway.fetchPayment(payment)),
    // Some adapters return `stays-open` without a request, so success proves nothing; only a failure counts.
    async closePayment(payment) {
      if (!healthy()) throw spared()
      return gateway.closePayment(payment).catch(rethrowReported)
    },
  }
}
