/** The standard's own (OTEL_TRACES_SAMPLER), in its words. */
export const samplerNames = [
  ...(["always_on", "always_off", "traceidratio"] as const),
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
] as const

export type SamplerName = (typeof samplerNames)[number]
