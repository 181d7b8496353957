import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { purchaseSteps } from "~/domain/orders/purchase-step"
import { gatewayIds } from "~/domain/payments/gateway-id"

/** Histogram buckets, from a cached response to an upstream timeout. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const attemptOutcomes = ["opened", "refused", "unavailable", "unreadable", "failed"] as const
export const callbackOutcomes = [
  "update",
  "hint",
  "ignored",
  "invalid_signature",
  "unreadable",
  "failed",
] as const
export const updateOutcomes = [
  "applied",
  "duplicate",
  "unknown_attempt",
  "currency_mismatch",
  "failed",
] as const

export type MetricSet = ReturnType<typeof createMetrics>

/** All metrics, under the names that dashboards and alerts use. docs/observability.md describes them. */
export function createMetrics() {
  const register = new Registry()
  const registers = [register]
  const byGateway = { labelNames: ["gateway", "outcome"], registers } as const
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })

  const requests = new Histogram({
    name: "boxoffice_request_duration_seconds",
    help: "Requests by route, method and status class",
    labelNames: ["route", "method", "status"] as const,
    buckets: SECONDS,
    registers,
  })
  const attempts = new Counter({
    name: "boxoffice_payment_attempts_total",
    help: "Payments requested from gateways, by outcome",
    ...byGateway,
  })
  const callbacks = new Counter({
    name: "boxoffice_callbacks_total",
    help: "Callbacks from gateways, by outcome",
    ...byGateway,
  })
  const paymentUpdates = new Counter({
    name: "boxoffice_payment_updates_total",
    help: "Payment updates from gateways, by outcome",
    ...byGateway,
  })
  const purchases = new Counter({
    name: "boxoffice_purchase_steps_total",
    help: "Steps of first purchases of plans, by gateway once it is chosen",
    labelNames: ["step", "gateway"] as const,
    registers,
  })
  for (const step of purchaseSteps) purchases.inc({ step, gateway: "" }, 0)
  // A counter that appears with its first event has no increase, so the first rejection would raise no alert.
  for (const gateway of gatewayIds) {
    for (const outcome of attemptOutcomes) attempts.inc({ gateway, outcome }, 0)
    for (const outcome of callbackOutcomes) callbacks.inc({ gateway, outcome }, 0)
    for (const outcome of updateOutcomes) paymentUpdates.inc({ gateway, outcome }, 0)
  }

  return {
    register,
    requests,
    attempts,
    callbacks,
    paymentUpdates,
    purchases,
    databaseUp: gauge("boxoffice_database_up", "1 while the database answers"),
    orders: new Gauge({
      name: "boxoffice_orders",
      help: "Orders placed in the last 24 hours, by current status",
      labelNames: ["state"] as const,
      registers,
    }),
    unprovisioned: gauge(
      "boxoffice_oldest_unprovisioned_order_seconds",
      "Age of the oldest paid order that is not provisioned",
    ),
    mails: new Gauge({
      name: "boxoffice_mails",
      help: "Messages enqueued in the last 24 hours, by name and current state",
      labelNames: ["message", "state"] as const,
      registers,
    }),
    unsentMail: gauge(
      "boxoffice_mail_oldest_unsent_seconds",
      "Time that the oldest message has waited that is due and not sent",
    ),
    silentMail: gauge(
      "boxoffice_mail_silent_seconds",
      "Time for which messages have waited and no mail server has accepted any",
    ),
    jobs: new Gauge({
      name: "boxoffice_outbox_jobs",
      help: "Outbox jobs, waiting and parked",
      labelNames: ["state"] as const,
      registers,
    }),
    dunningStopped: gauge(
      "boxoffice_dunning_stopped",
      "1 while the brake stops suspensions and terminations",
    ),
    dunningAge: gauge(
      "boxoffice_dunning_oldest_due_step_seconds",
      "Time since the oldest due step of a service became due: a reminder, suspension or termination",
    ),
    outboxAge: gauge("boxoffice_outbox_oldest_due_job_seconds", "Time since the oldest due job became due"),
    cacheReads: new Counter({
      name: "boxoffice_cache_reads_total",
      help: "Cache reads, by cache and outcome",
      labelNames: ["cache", "outcome"] as const,
      registers,
    }),
    connections: new Gauge({
      name: "boxoffice_database_connections",
      help: "Open connections to PostgreSQL, by state",
      labelNames: ["state"] as const,
      registers,
    }),
    connectionWaits: gauge(
      "boxoffice_database_pending_connections",
      "Requests waiting for a connection to PostgreSQL",
    ),
  }
}
