import type { Instant } from "~/domain/calendar"
import type { BrakeReason, NeededPart } from "~/domain/services/dunning-brake"

/** Time in which a part of the shop was down. `until`: when it was last seen down. Deleted with the operator's word. */
export type OutageRow = { part: NeededPart; since: Instant; until: Instant }

/** A stop of dunning. `detail`: one sentence for the operator. */
export type DunningBrakeRow = {
  id: string
  reason: BrakeReason
  detail: string
  at: Instant
  released_at: Instant | null
  /** The operator's words. */
  release_reason: string | null
}
