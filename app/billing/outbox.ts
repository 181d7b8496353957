import type { Instant } from "~/domain/calendar"

/**
 * Jobs as rows of the database, written in the transaction that causes them (design, section 7): nothing that has
 * been promised is forgotten by a crash, and any number of instances may work on them.
 */
export interface Outbox {
  /** Takes due jobs for `lease` milliseconds; no other instance gets them meanwhile. */
  claim(now: Instant, lease: number, limit: number): Promise<readonly Job[]>
  /** Whoever has claimed a job is still at it: no other instance gets it before `until`. */
  renew(job: Job, now: Instant, until: Instant): Promise<void>
  /** Carried out; unless the same job has been promised again since it was claimed: then it is still to be done. */
  complete(job: Job): Promise<void>
  /** Could not be carried out now: see `Delay`. */
  reschedule(job: Job, delay: Delay): Promise<void>
  /** True when this holder may do the singleton's work until `now + lease`. */
  lease(name: string, holder: string, now: Instant, lease: number): Promise<boolean>
}

export type Delay = {
  /** Now, by the clock that `due` was computed with. */
  readonly at: Instant
  /** When it is tried again; null parks the job, where the operator sees it. */
  readonly due: Instant | null
  /** Holds no secrets. */
  readonly reason: string
}

export type Job = {
  readonly id: string
  /**
   * `provision`: set the service up. `connections`: tell the panel what the upsell of that number has bought.
   * `recreate`: end the service's line and make it anew.
   */
  readonly topic: "provision" | "connections" | "recreate"
  readonly subject: string
  /** What its lease was when it was claimed. */
  readonly claimedUntil: Instant
  readonly tries: number
}
