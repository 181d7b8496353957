import type { Instant } from "~/domain/calendar"

/** Port of free trials. Every call may throw a `BillingError`. */
export interface Trials {
  /**
   * Notes another mailbox of a person who has had a trial: that of an order, or those of a customer. The former one is not free
   * again. Nothing without a trial, or if the mailbox has had one of its own.
   */
  claimMailbox(of: TriedBy, mailbox: string): Promise<void>
  /** Forgets by which marks the trial of a mailbox was had, so that its person may have another. False: it has had none. */
  forgiveTrial(mailbox: string): Promise<boolean>
  /** Forgets by which marks people had a trial, each after its time. */
  deleteOldClaims(now: Instant): Promise<void>
}

/** Whose trial it was. */
export type TriedBy = { readonly orderId: string } | { readonly customerId: string }
