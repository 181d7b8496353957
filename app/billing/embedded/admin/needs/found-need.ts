import { DAY } from "~/domain/calendar"
import type { Need } from "~/domain/console/console-need"

/** What waits for an operator, before it is known who has taken it. */
export type FoundNeed = Omit<Need, "takenBy">

/** So many are listed of each kind. */
export const LISTED = 20

/** Older holds and parked jobs without a decision are found in the lists only. */
export const HELD_OF = 30 * DAY
