import type { Instant } from "../calendar"

/** Kinds of events in the life of a service. */
export const serviceEventKinds = [
  "started",
  "trial-started",
  "renewed",
  "extended",
  "reminded",
  "declined",
  "undeclined",
  "consent",
  "price-announced",
  "price-kept",
  "plan-changed",
  "plan-chosen",
  "plan-kept",
  "held",
  "suspended",
  "resumed",
  "terminated",
  "connections",
  "device",
  "recreated",
] as const
export type ServiceEventKind = (typeof serviceEventKinds)[number]

/** An append-only event of a service. */
export type ServiceEvent = {
  readonly kind: ServiceEventKind
  readonly at: Instant
  /** What the event says about itself, by name; never a secret. */
  readonly detail: Readonly<Record<string, string | number>> | null
}
