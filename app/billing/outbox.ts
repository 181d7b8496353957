import type { Instant } from "~/domain/calendar"

/**
 * Jobs as rows of the books, written in the transaction that causes them (design, section 7): nothing that has
 * been promised is forgotten by a crash, and any number of instances may work on them.
 */
export interface Outbox {
  /** Takes due jobs for `lease` milliseconds; nobody else gets them meanwhile. */
  claim(now: Instant, lease: number, most: number): Promise<readonly Job[]>
  /** Carried out; unless the same job has been promised again since it was claimed: then it is still to be done. */
  done(job: Job): Promise<void>
  /** Not now: again at `due`; null parks the job, where the operator sees it. `reason` holds no secrets. */
  postpone(job: Job, due: Instant | null, reason: string): Promise<void>
  /** True when this holder may do the singleton's work until `now + lease`. */
  lease(name: string, holder: string, now: Instant, lease: number): Promise<boolean>
}

export type Job = {
  readonly id: string
  /**
   * `provision`: set the service up. `connections`: tell the panel what the upsell of that number has bought.
   * `recreate`: end the service's line and make it anew.
   */
  readonly topic: "provision" | "connections" | "recreate"
  readonly subject: string
  /** Until when it is claimed. */
  readonly claimedUntil: Instant
  readonly tries: number
}
