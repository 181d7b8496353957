import type { Instant } from "~/domain/calendar"

/**
 * Jobs as rows of the books, written in the transaction that causes them (design, section 7): nothing that has
 * been promised is forgotten by a crash, and any number of instances may work on them.
 */
export interface Outbox {
  /** Takes due jobs for `lease` milliseconds; nobody else gets them meanwhile. */
  claim(now: Instant, lease: number, most: number): Promise<readonly Job[]>
  done(id: string): Promise<void>
  /** Not now: again at `due`; null parks the job, where the operator sees it. `reason` holds no secrets. */
  postpone(id: string, due: Instant | null, reason: string): Promise<void>
  /** True when this holder may do the singleton's work until `now + lease`. */
  lease(name: string, holder: string, now: Instant, lease: number): Promise<boolean>
}

export type Job = {
  readonly id: string
  readonly topic: "provision"
  readonly subject: string
  readonly tries: number
}
