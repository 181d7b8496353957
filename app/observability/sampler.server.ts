import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace"
import type { SamplerName } from "~/config/sampler-names"

/** Sampler settings as OpenTelemetry defines them. */
export type SamplerSettings = { readonly name: SamplerName; readonly ratio: number }

const roots: Record<"always_on" | "always_off" | "traceidratio", (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
}

const PARENT = "parentbased_"

export function samplerOf({ name, ratio }: SamplerSettings): Sampler {
  if (name === "always_on" || name === "always_off" || name === "traceidratio") return roots[name](ratio)
  return new ParentBasedSampler({ root: samplerOf({ name: rootOf(name), ratio }) })
}

function rootOf(name: SamplerName): keyof typeof roots {
  const root = name.slice(PARENT.length)
  return root === "always_off" || root === "traceidratio" ? root : "always_on"
}
