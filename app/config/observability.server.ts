import { z } from "zod"
import { SECOND } from "~/domain/calendar"
import { Host, Port } from "./fields.server"
import { samplerNames } from "./sampler-names"

/**
 * Metrics and tracing. Variables with the prefix OTEL are OpenTelemetry's own; those
 * that are not listed here (headers, certificates, timeouts, resource attributes) are read by its library.
 */
export const observabilityFields = {
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .meta({ description: "Lowest level of the log" }),
  METRICS_PORT: Port.optional().meta({
    description:
      "Port of `/metrics` for Prometheus, never the public one ([observability.md](observability.md))",
  }),
  METRICS_HOST: Host.default("127.0.0.1").meta({ description: "Address that `METRICS_PORT` listens on" }),
  OTEL_SDK_DISABLED: z.string().optional().meta({ description: "`true`: no traces, whatever else is set" }),
  OTEL_TRACES_EXPORTER: z
    .enum(["otlp", "none"], "must be otlp or none")
    .default("otlp")
    .meta({ description: "`none`: no traces" }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: "Base URL of an OpenTelemetry collector; traces are on if it is set" }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: "Its complete URL for traces; takes precedence" }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/protobuf", "must be http/protobuf")
    .optional()
    .meta({ description: "Only `http/protobuf` is supported", default: "`http/protobuf`" }),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number()
    .int()
    .min(100)
    .max(10 * SECOND)
    .default(2 * SECOND)
    .meta({ description: "Timeout of an export in milliseconds" }),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames)
    .default("parentbased_always_on")
    .meta({ description: "Sampler of the OpenTelemetry specification" }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: "Its argument, such as a ratio from 0 to 1" }),
}

type Given = {
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_TRACES_EXPORTER: "otlp" | "none"
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
}

/** Tracing is on if an OTLP endpoint is set. */
export function isTraced(given: Given): boolean {
  const address = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  const disabled = given.OTEL_SDK_DISABLED?.toLowerCase() === "true" || given.OTEL_TRACES_EXPORTER === "none"
  return address !== undefined && !disabled
}
