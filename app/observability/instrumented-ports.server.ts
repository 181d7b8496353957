import type { StepCounter } from "~/billing/orders/purchase-steps"
import type { PaymentRepository, PaymentUpdateResult } from "~/billing/payments/payment-repository"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { GatewayError, type MonitoredGateway, UntrustedCallbackError } from "~/gateways/gateway"
import type {
  attemptOutcomes,
  callbackOutcomes,
  MetricSet,
  updateOutcomes,
} from "./metric-definitions.server"

type Outcome<T extends readonly string[]> = T[number]

/** A gateway with metrics for created payments and callbacks. */
export function instrumentGateway(
  gateway: MonitoredGateway,
  { attempts, callbacks }: MetricSet,
): MonitoredGateway {
  const { id } = gateway
  return {
    ...gateway,
    // A getter, since some gateways learn their origins later.
    get origins() {
      return gateway.origins
    },
    async startPayment(payment) {
      const count = (outcome: Outcome<typeof attemptOutcomes>) => attempts.inc({ gateway: id, outcome })
      try {
        const opened = await gateway.startPayment(payment)
        count("opened")
        return opened
      } catch (error) {
        count(error instanceof GatewayError ? error.kind : "failed")
        throw error
      }
    },
    parseCallback(callback) {
      const count = (outcome: Outcome<typeof callbackOutcomes>) => callbacks.inc({ gateway: id, outcome })
      try {
        const update = gateway.parseCallback(callback)
        count(kindOf(update))
        return update
      } catch (error) {
        count(failureOf(error))
        throw error
      }
    },
  }
}

function kindOf(update: ReturnType<MonitoredGateway["parseCallback"]>): Outcome<typeof callbackOutcomes> {
  if (update === null) return "ignored"
  return "paymentId" in update ? "hint" : "update"
}

function failureOf(error: unknown): Outcome<typeof callbackOutcomes> {
  if (error instanceof UntrustedCallbackError) return "invalid_signature"
  return error instanceof GatewayError ? "unreadable" : "failed"
}

/** A payment repository with metrics for recorded updates. */
export function instrumentPayments(
  payments: PaymentRepository,
  { paymentUpdates }: MetricSet,
): PaymentRepository {
  return {
    ...payments,
    async recordPaymentUpdate(gateway, update, at, tolerance) {
      const recorded = await counted(gateway, payments.recordPaymentUpdate(gateway, update, at, tolerance))
      paymentUpdates.inc({ gateway, outcome: outcomeOf(recorded) })
      return recorded
    },
  }

  function counted<T>(gateway: GatewayId, booking: Promise<T>): Promise<T> {
    return booking.catch((error: unknown) => {
      const outcome: Outcome<typeof updateOutcomes> = "failed"
      paymentUpdates.inc({ gateway, outcome })
      throw error
    })
  }
}

/** A step counter that counts in the metrics too. */
export function instrumentSteps(counter: StepCounter, { purchases }: MetricSet): StepCounter {
  return {
    ...counter,
    count(step, subject) {
      purchases.inc({ step, gateway: subject.gateway ?? "" })
      counter.count(step, subject)
    },
  }
}

/** Label values use underscores, as Prometheus names do. */
function outcomeOf({ kind }: PaymentUpdateResult): Outcome<typeof updateOutcomes> {
  if (kind === "unknown-attempt") return "unknown_attempt"
  return kind === "currency-mismatch" ? "currency_mismatch" : kind
}
