import type { Term } from "~/domain/services/term"
import type { ServiceRow } from "../db/schema/order-rows"

/** The stored term of a service; null without one. */
export function termOf({
  term_anchor,
  term_zone,
  term_count,
  extra_days,
  trial_hours,
}: Pick<ServiceRow, "term_anchor" | "term_zone" | "term_count" | "extra_days" | "trial_hours">): Term | null {
  if (term_anchor === null || term_zone === null) return null
  const term = { anchor: term_anchor, zone: term_zone, count: term_count, extraDays: extra_days }
  return trial_hours === null ? term : { ...term, trialHours: trial_hours }
}
