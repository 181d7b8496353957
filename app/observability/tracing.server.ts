import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto"
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources"
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import type { ServerInstrumentation } from "react-router"
import type { RequestInstrumentation } from "./request-instrumentation"
import { type SamplerSettings, samplerOf } from "./sampler.server"
import { traceUpstreams } from "./trace-upstreams.server"

export type TracingSettings = {
  readonly sampler: SamplerSettings
  /** Export timeout; the shutdown waits for it. */
  readonly timeoutMillis: number
}

export type Tracing = {
  readonly instrument: RequestInstrumentation
  /** Spans for loaders and actions. */
  readonly routes: ServerInstrumentation
  /** Flushes pending spans. */
  close(): Promise<void>
}

/**
 * Starts tracing: a span for each request, each loader and action in it, and each upstream call, with trace propagation.
 * The exporter reads its endpoint from OpenTelemetry's own variables. Spans contain route patterns and hosts only, no
 * URLs and no error messages, which could hold an e-mail or a secret.
 */
export function openTracing({ sampler, timeoutMillis }: TracingSettings): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "boxoffice" }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis }) })],
  })
  const tracer = provider.getTracer("boxoffice")
  const upstreamTracing = traceUpstreams(tracer)
  return {
    instrument: instrumentWith(tracer),
    routes: {
      route: ({ id, instrument }) =>
        instrument({ loader: within(tracer, `loader ${id}`), action: within(tracer, `action ${id}`) }),
    },
    async close() {
      upstreamTracing.stop()
      await provider.shutdown().catch(() => {})
      context.disable()
      propagation.disable()
    },
  }
}

function instrumentWith(tracer: Tracer): RequestInstrumentation {
  return (request, next) => {
    const { incoming, outgoing } = request
    const { method = "GET" } = incoming
    const from: Context = propagation.extract(context.active(), incoming.headers)
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
      from,
    )
    outgoing.once("close", () => {
      const { statusCode } = outgoing
      span.updateName(`${method} ${request.route}`)
      span.setAttributes({ "http.route": request.route, "http.response.status_code": statusCode })
      span.setAttribute("boxoffice.request", String(outgoing.getHeader("x-request-id") ?? ""))
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    context.with(trace.setSpan(from, span), next)
  }
}

type Work = () => Promise<{ readonly status: string; readonly error?: unknown }>

/** A span around a loader or action. A thrown redirect or error page is not an error of the span. */
function within(tracer: Tracer, name: string): (work: Work) => Promise<void> {
  return (work) =>
    tracer.startActiveSpan(name, async (span: Span) => {
      const { error } = await work()
      if (error instanceof Error) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
}
