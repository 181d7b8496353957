import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel"
import type { Logger } from "pino"
import { SECOND } from "~/domain/calendar"
import { type Gateway, GatewayError, type GuardedGateway } from "./gateway"

/** So many failures in a row, and it is left alone for a while; then one question tries whether it works again. */
const FAILURES = 5
const REST = 30 * SECOND

/** Cuts short what a gateway that does not answer is asked; a refusal is an answer. */
export function guarded(gateway: Gateway, log: Logger): GuardedGateway {
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof GatewayError && error.kind !== "refused"),
    { halfOpenAfter: REST, breaker: new ConsecutiveBreaker(FAILURES) },
  )
  breaker.onBreak(() => log.warn({ gateway: gateway.id }, "gateway is in trouble"))
  breaker.onReset(() => log.info({ gateway: gateway.id }, "gateway works again"))
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await breaker.execute(question)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new GatewayError(
        "unavailable",
        `${gateway.id} has not answered lately, and is left alone for a while`,
      )
    }
  }
  const { direct } = gateway
  return {
    ...gateway,
    isTroubled: () => breaker.state !== CircuitState.Closed,
    startPayment: (payment) => ask(() => gateway.startPayment(payment)),
    askPayment: (payment) => ask(() => gateway.askPayment(payment)),
    closePayment: (payment) => ask(() => gateway.closePayment(payment)),
    direct: direct && {
      coins: () => ask(() => direct.coins()),
      transfer: (payment) => ask(() => direct.transfer(payment)),
    },
  }
}
