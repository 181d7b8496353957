import { expect, test } from "vitest"
import { readConfig } from "./config.server"
import { isTraced } from "./observability.server"

const COLLECTOR = "http://127.0.0.1:4318"

test("by default metrics are off, and METRICS_PORT listens on localhost only", () => {
  const config = readConfig({})
  expect(config.METRICS_PORT).toBeUndefined()
  expect(config.METRICS_HOST).toBe("127.0.0.1")
  expect(isTraced(config)).toBe(false)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${COLLECTOR}/v1/traces` }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_SDK_DISABLED: "True" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_TRACES_EXPORTER: "none" }, false],
  [{ OTEL_SERVICE_NAME: "checkout" }, false],
])("enables tracing by the OpenTelemetry variables %o: %s", (environment, traced) => {
  expect(isTraced(readConfig(environment))).toBe(traced)
})

test.each([
  ["METRICS_PORT", "public"],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
  ["OTEL_TRACES_EXPORTER", "zipkin"],
  ["OTEL_TRACES_SAMPLER", "sometimes"],
  ["OTEL_TRACES_SAMPLER_ARG", "2"],
])("rejects %s=%s with an error that names the variable", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name)
})
