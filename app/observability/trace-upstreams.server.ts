import { subscribe, unsubscribe } from "node:diagnostics_channel"
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api"

/** Message of undici's diagnostics channels (https://github.com/nodejs/undici, DiagnosticsChannel). */
type DiagnosticsMessage = {
  readonly request: Sent
  readonly response?: { readonly statusCode: number }
}
type Sent = {
  readonly method: string
  readonly origin: string | URL
  addHeader(name: string, value: string): void
}

/**
 * A span for every upstream call, with the W3C `traceparent` header that continues the trace at the upstream. Only the host of the
 * URL is recorded: paths contain payment ids and client addresses, queries may contain secrets.
 */
export function traceUpstreams(tracer: Tracer): { stop(): void } {
  const open = new WeakMap<Sent, Span>()

  const hooks = {
    "undici:request:create"({ request }: DiagnosticsMessage) {
      const { method, origin } = request
      const { hostname, port } = new URL(origin)
      const attributes = {
        "http.request.method": method,
        "server.address": hostname,
        "server.port": Number(port),
      }
      const span = tracer.startSpan(`${method} ${hostname}`, { kind: SpanKind.CLIENT, attributes })
      open.set(request, span)
      propagation.inject(trace.setSpan(context.active(), span), request, {
        set: (to, name, value) => to.addHeader(name, value),
      })
    },
    "undici:request:headers"({ request, response }: DiagnosticsMessage) {
      const { statusCode = 0 } = response ?? {}
      open.get(request)?.setAttribute("http.response.status_code", statusCode)
      if (statusCode >= 400) open.get(request)?.setStatus({ code: SpanStatusCode.ERROR })
    },
    "undici:request:trailers": ({ request }: DiagnosticsMessage) => open.get(request)?.end(),
    "undici:request:error"({ request }: DiagnosticsMessage) {
      // Without the error's message, which may quote what was sent.
      open.get(request)?.setStatus({ code: SpanStatusCode.ERROR }).end()
    },
  }
  const subscriptions = Object.entries(hooks).map(([channel, hook]) => {
    const listen = (message: unknown) => void (isDiagnosticsMessage(message) && hook(message))
    subscribe(channel, listen)
    return () => unsubscribe(channel, listen)
  })
  return { stop: () => subscriptions.forEach((end) => void end()) }
}

function isDiagnosticsMessage(message: unknown): message is DiagnosticsMessage {
  return typeof message === "object" && message !== null && "request" in message
}
