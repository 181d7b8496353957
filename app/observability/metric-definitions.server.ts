import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { gatewayIds } from "~/domain/gateway-id"

/** From an answer out of memory to one that waited for a neighbour to the end. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const attemptOutcomes = ["opened", "refused", "unavailable", "unreadable", "failed"] as const
export const callbackOutcomes = ["news", "hint", "nothing", "refused", "unreadable", "failed"] as const
export const newsOutcomes = ["booked", "repeat", "unknown", "mismatch", "failed"] as const

export type Meters = ReturnType<typeof openMeters>

/** Everything that is counted, under the names that dashboards and alerts know; README and docs/observability.md say what each means. */
export function openMeters() {
  const register = new Registry()
  const registers = [register]
  const byGateway = { labelNames: ["gateway", "outcome"], registers } as const
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })

  const requests = new Histogram({
    ...{ name: "boxoffice_request_duration_seconds", help: "Requests by route, method and class of status" },
    ...{ labelNames: ["route", "method", "status"] as const, buckets: SECONDS, registers },
  })
  const attempts = new Counter({
    ...{
      name: "boxoffice_attempts_total",
      help: "Payments that were to be opened at a gateway",
      ...byGateway,
    },
  })
  const callbacks = new Counter({
    ...{
      name: "boxoffice_callbacks_total",
      help: "Calls of gateways, by what was made of them",
      ...byGateway,
    },
  })
  const news = new Counter({
    ...{ name: "boxoffice_news_total", help: "What gateways said, called or asked, as it was booked" },
    ...byGateway,
  })
  // A counter that appears with its first event has no increase: the first refusal of all would raise no alarm.
  for (const gateway of gatewayIds) {
    for (const outcome of attemptOutcomes) attempts.inc({ gateway, outcome }, 0)
    for (const outcome of callbackOutcomes) callbacks.inc({ gateway, outcome }, 0)
    for (const outcome of newsOutcomes) news.inc({ gateway, outcome }, 0)
  }

  return {
    ...{ register, requests, attempts, callbacks, news },
    booksUp: gauge("boxoffice_books_up", "1 while the books answer"),
    orders: new Gauge({
      ...{ name: "boxoffice_orders", help: "Orders placed within a day, by the state they are in" },
      ...{ labelNames: ["state"] as const, registers },
    }),
    unprovisioned: gauge(
      "boxoffice_unprovisioned_seconds",
      "How long the longest has been paid and not set up",
    ),
    jobs: new Gauge({
      ...{ name: "boxoffice_outbox_jobs", help: "Jobs that wait, and those that wait for the operator" },
      ...{ labelNames: ["state"] as const, registers },
    }),
    outboxAge: gauge("boxoffice_outbox_age_seconds", "How long the longest has been due"),
    cacheReads: new Counter({
      ...{ name: "boxoffice_cache_reads_total", help: "Readings of what is kept in memory" },
      ...{ labelNames: ["cache", "outcome"] as const, registers },
    }),
    connections: new Gauge({
      ...{ name: "boxoffice_database_connections", help: "Connections to PostgreSQL" },
      ...{ labelNames: ["state"] as const, registers },
    }),
    connectionWaits: gauge("boxoffice_database_waiting", "Who waits for a connection to PostgreSQL"),
  }
}
