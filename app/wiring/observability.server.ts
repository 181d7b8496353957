import type { ServerBuild } from "react-router"
import type { Config } from "~/config/environment.server"
import { isTraced } from "~/config/observability.server"
import type { Services } from "~/context/services.server"
import type { Metrics } from "~/observability/metrics.server"
import { noInstrumentation, type RequestInstrumentation } from "~/observability/request-instrumentation"
import type { Tracing } from "~/observability/tracing.server"
import { anonymousPageCacheStats } from "~/ssr/anonymous-page-cache.server"
import { pageCacheStats } from "~/ssr/page-cache.server"
import type { Wiring } from "./services.server"

export type Observability = {
  readonly services: Services
  readonly instrument: RequestInstrumentation
  /** The same build with tracing. */
  traced(build: ServerBuild): ServerBuild
  close(): Promise<void>
}

/** Starts metrics and tracing as configured. Modules that are not needed are not loaded, which saves memory and time. */
export async function openObservability(config: Config, wiring: Wiring): Promise<Observability> {
  const metrics = await metricsOf(config, wiring)
  const tracing = await tracingOf(config)
  return {
    services: metrics ? metrics.instrumented(wiring.services) : wiring.services,
    instrument: both(tracing?.instrument ?? noInstrumentation, metrics?.instrument ?? noInstrumentation),
    traced: (build) => (tracing ? tracedBuild(build, tracing) : build),
    close: async () => void (await Promise.all([metrics?.close(), tracing?.close()])),
  }
}

async function metricsOf(
  { METRICS_PORT: port, METRICS_HOST: host }: Config,
  wiring: Wiring,
): Promise<Metrics | null> {
  if (port === undefined) return null
  const { openMetrics } = await import("~/observability/metrics.server")
  const { billing, catalogueReads: catalogue } = wiring
  return openMetrics(
    { host, port },
    {
      figures: billing.figures,
      connections: billing.connections,
      mails: wiring.services.mailer && billing.mails.stats,
      now: wiring.services.now,
      caches: { catalogue, "first page": anonymousPageCacheStats, pages: pageCacheStats },
    },
  )
}

async function tracingOf(config: Config): Promise<Tracing | null> {
  if (!isTraced(config)) return null
  const { openTracing } = await import("~/observability/tracing.server")
  return openTracing({
    sampler: { name: config.OTEL_TRACES_SAMPLER, ratio: config.OTEL_TRACES_SAMPLER_ARG },
    timeoutMillis: config.OTEL_EXPORTER_OTLP_TIMEOUT,
  })
}

function tracedBuild(build: ServerBuild, { routes }: Tracing): ServerBuild {
  const { module } = build.entry
  const instrumentations = [...(module.instrumentations ?? []), routes]
  return { ...build, entry: { ...build.entry, module: { ...module, instrumentations } } }
}

function both(outer: RequestInstrumentation, inner: RequestInstrumentation): RequestInstrumentation {
  return (request, next) => outer(request, () => inner(request, next))
}
