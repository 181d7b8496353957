import type { Instant } from "~/domain/calendar"

/**
 * Transactional outbox: jobs are rows written in the transaction that causes them (specification, Payments). Enqueued jobs
 * survive a crash, and any number of instances may run them. Every call may throw a `BillingError`.
 */
export interface Outbox {
  /**
   * Claims up to `limit` due jobs of a queue (default: `services`) for `lease` milliseconds; no other instance gets them
   * meanwhile.
   */
  claim(now: Instant, lease: number, limit: number, queue?: JobQueue): Promise<readonly Job[]>
  /** Extends the claim of a job that is still running: no other instance gets it before `until`. */
  renew(job: Job, now: Instant, until: Instant): Promise<void>
  /** Marks a job as done. Does nothing if the same job has been enqueued again since it was claimed. */
  complete(job: Job): Promise<void>
  /** Retries or parks a failed job. Does nothing if the same job has been enqueued again since it was claimed. */
  reschedule(job: Job, delay: Delay): Promise<void>
  /** Acquires or renews a named lease for `lease` milliseconds; false while another holder has it. */
  lease(name: string, holder: string, now: Instant, lease: number): Promise<boolean>
}

/**
 * Topics by queue. Queues do not wait for one another: ten thousand messages or extensions delay no service that was
 * just paid, and no message that somebody waits for in order to sign in.
 */
export const jobQueues = {
  services: [
    "provision",
    "connections",
    "recreate",
    "device",
    "renewal",
    "plan",
    "next-plan",
    "reseller-credits",
  ],
  refunds: ["refund"],
  "tax-numbers": ["tax-number"],
  terms: ["extend", "suspend", "resume", "terminate"],
  mail: ["mail"],
  "sign-in-mail": ["sign-in-mail"],
  bulk: ["bulk", "price-move"],
} as const

export type JobQueue = keyof typeof jobQueues

export type Delay = {
  /** Current time of the clock that `due` was computed with. */
  readonly at: Instant
  /** When the job is retried; null parks it (dead letter) for the operator. */
  readonly due: Instant | null
  /** Shown to the operator; must not contain secrets. */
  readonly reason: string
}

export type Job = {
  readonly id: string
  /**
   * `provision`: provision the service `subject`. `connections`: send the connections bought by the upsell order `subject` to the
   * panel. `recreate`: terminate and recreate the line of the service `subject`. `device`: ask the panel again to register the device
   * that was asked for of the service `subject`. `renewal`: report the payments of the renewal
   * order `subject` to external billing. `extend`, `suspend`, `resume`, `terminate`: bring the panel to the state of the service
   * `subject`. `plan`: send the plan of the service `subject` to the panel. `next-plan`: give the service `subject` the plan that
   * follows. `reseller-credits`: tell the panel how many credits the reseller's account `subject` was sold. `mail`, `sign-in-mail`: send the message `subject`. `refund`: send the refund `subject` through its gateway.
   * `tax-number`: ask for the number for tax of the order `subject` again. `bulk`: go on with the run `subject` of an action on
   * many rows. `price-move`: go on with the run `subject` that announces another price, or takes it back.
   */
  readonly topic: (typeof jobQueues)[JobQueue][number]
  readonly subject: string
  /** End of the claim as it was when the job was claimed. */
  readonly claimedUntil: Instant
  readonly tries: number
}
