import type { IncomingMessage } from "node:http"
import { collectDefaultMetrics } from "prom-client"
import type { Services } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import { read, type Sources } from "./collect-gauges.server"
import { instrumentGateway, instrumentPayments, instrumentSteps } from "./instrumented-ports.server"
import { createMetrics } from "./metric-definitions.server"
import { type MetricsAddress, openMetricsPort } from "./metrics-listener.server"
import type { RequestInstrumentation } from "./request-instrumentation"

export type Metrics = {
  readonly instrument: RequestInstrumentation
  /** The same services with metrics. */
  instrumented(services: Services): Services
  close(): Promise<void>
}

/** Starts recording metrics and serves them on a separate address. Throws if that is in use. */
export async function openMetrics(address: MetricsAddress, sources: Sources): Promise<Metrics> {
  const meters = createMetrics()
  collectDefaultMetrics({ register: meters.register })
  const port = await openMetricsPort(address, {
    type: meters.register.contentType,
    text: async () => {
      await read(meters, sources)
      return meters.register.metrics()
    },
  })
  return {
    instrument(request, next) {
      const { incoming, outgoing } = request
      const started = performance.now()
      outgoing.once("close", () => {
        const labels = {
          route: request.route,
          method: methodOf(incoming),
          status: classOf(outgoing.statusCode),
        }
        meters.requests.observe(labels, (performance.now() - started) / SECOND)
      })
      next()
    },
    instrumented: (services) => ({
      ...services,
      payments: instrumentPayments(services.payments, meters),
      stepCounter: instrumentSteps(services.stepCounter, meters),
      gateways: new Map(
        [...services.gateways].map(([id, gateway]) => [id, instrumentGateway(gateway, meters)]),
      ),
    }),
    close: port.close,
  }
}

/** Label for the HTTP method. Unknown methods share one label, since clients may send any. */
function methodOf({ method = "" }: IncomingMessage): string {
  return ["GET", "HEAD", "POST"].includes(method) ? method : "other"
}

function classOf(status: number): string {
  return `${Math.trunc(status / 100)}xx`
}
