import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { samplerNames } from "~/config/sampler-names"
import { jsonClient } from "~/http/json-client.server"
import { freePort } from "../../tests/support/server/free-port"
import { samplerOf } from "./sampler.server"
import { traceUpstreams } from "./trace-upstreams.server"

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const tracer = provider.getTracer("test")
let heard: IncomingHttpHeaders = {}
let status = 200
const upstream = createServer((request, response) => {
  heard = request.headers
  response.writeHead(status, { "content-type": "application/json" }).end("{}")
})
let tracing: ReturnType<typeof traceUpstreams>

beforeAll(async () => {
  await new Promise<void>((resolve) => void upstream.listen(0, "127.0.0.1", resolve))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  tracing = traceUpstreams(tracer)
})
afterAll(async () => {
  tracing.stop()
  context.disable()
  propagation.disable()
  upstream.closeAllConnections()
  await new Promise<void>((resolve) => void upstream.close(() => resolve()))
})
beforeEach(() => {
  exporter.reset()
  status = 200
})

test("an upstream call is a span and sends the traceparent header", async () => {
  const span = tracer.startSpan("asking")
  await context.with(trace.setSpan(context.active(), span), request)
  span.end()
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(2)
  const call = exporter.getFinishedSpans().find(({ name }) => name === "GET 127.0.0.1")
  expect(call?.parentSpanContext?.spanId).toBe(span.spanContext().spanId)
  expect(heard.traceparent).toBe(`00-${span.spanContext().traceId}-${call?.spanContext().spanId}-01`)
  expect(call?.attributes).toMatchObject({ "server.address": "127.0.0.1", "http.response.status_code": 200 })
})

test("a span contains only the host of a URL, because the rest may contain personal data or a key", async () => {
  await request()
  const [call] = await spans()
  const recorded = JSON.stringify([call?.name, call?.attributes, call?.events, call?.status])
  expect(recorded).not.toMatch(/customers|ana|secret/)
})

test("a 4xx and a failed connection end their spans with an error without a message", async () => {
  status = 404
  await expect(request()).rejects.toThrow()
  const refused = (await spans())[0]
  exporter.reset()
  await expect(request(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow()
  const unanswered = (await spans())[0]
  for (const call of [refused, unanswered]) expect(call?.status).toEqual({ code: SpanStatusCode.ERROR })
})

test.each(samplerNames)("%s samples as OpenTelemetry specifies", (name) => {
  const traced = samplesRoot(name, 1)
  expect(traced).toBe(!name.endsWith("always_off"))
  expect(samplesRoot(name, 0)).toBe(name.endsWith("always_on"))
})

function samplesRoot(name: (typeof samplerNames)[number], ratio: number): boolean {
  const sampled = new TracerProvider({ sampler: samplerOf({ name, ratio }) })
  return sampled.getTracer("test").startSpan("root").isRecording()
}

async function spans() {
  await expect.poll(() => exporter.getFinishedSpans().length).toBeGreaterThan(0)
  return exporter.getFinishedSpans()
}

function request(url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`) {
  return jsonClient({ url, retryDelaysMs: [] }).get("customers/ana@example.test?key=secret", z.object({}))
}
