/** Values of OTEL_TRACES_SAMPLER in the OpenTelemetry specification. */
export const samplerNames = [
  ...(["always_on", "always_off", "traceidratio"] as const),
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
] as const

export type SamplerName = (typeof samplerNames)[number]
