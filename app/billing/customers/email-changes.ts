import type { Instant } from "~/domain/calendar"
import type { EmailChange } from "~/domain/customers/email-change"
import type { LocaleCode } from "~/domain/locales"

/**
 * Port of changes of e-mail by customers themselves. A change is open until it is confirmed, stopped, replaced by a newer one
 * of the customer, or used up by wrong codes. Every call may throw a `BillingError`.
 */
export interface EmailChanges {
  /** Whether a customer has a password that opens the whole account. */
  hasPassword(customerId: string): Promise<boolean>
  /**
   * Stores a change, ends the customer's open one, and enqueues the messages to both addresses, in one transaction. The same
   * work for every new e-mail: whether it is another customer's is looked up when the message is sent.
   */
  create(change: NewEmailChange): Promise<void>
  /** The customer's open change that was asked for after `since`; null if there is none. */
  openOf(customerId: string, since: Instant): Promise<EmailChange | null>
  /** Counts a try of the code of that change; null if there is none, or no try left. */
  countCodeTry(
    customerId: string,
    since: Instant,
  ): Promise<{ readonly id: string; readonly tries: number } | null>
  /** Ends an open change whose codes are used up. */
  end(id: string, at: Instant): Promise<void>
  /**
   * Gives the customer the new e-mail, which is thereby proven. Ends all sessions, sign-in requests and a sign-up password;
   * both addresses get a message. Null, and nothing changes, unless the change is open and the customer's own. Concurrent calls
   * change once. An e-mail that has become another customer's meanwhile ends the change.
   */
  confirm(id: string, confirmation: EmailConfirmation): Promise<EmailChange | null>
  /** A change by its id, whatever its stage; null for an unknown one. */
  find(id: string): Promise<EmailChange | null>
  /**
   * Whether a customer can have an e-mail: nobody else has it, or only somebody who has paid and proven nothing under it. Must not be
   * shown to a visitor.
   */
  isAvailable(email: string, customerId: string): Promise<boolean>
  /**
   * Stops an open change, or undoes one that was confirmed, and each later one of the customer. Ends all sessions, sign-in
   * requests and the password, since who asked for the change had them. `taken`: the former e-mail has become another
   * customer's, who has bought under it. `over`: the change can no longer be reverted. Idempotent.
   */
  revert(id: string, at: Instant): Promise<"reverted" | "taken" | "over">
  /** Deletes changes created before. Returns how many were deleted. */
  deleteChanges(before: Instant): Promise<number>
}

export type NewEmailChange = {
  readonly id: string
  readonly customerId: string
  /** As typed. */
  readonly email: string
  /** Language of the message to it. */
  readonly locale: LocaleCode
  readonly at: Instant
}

/** `since`: changes asked for before have expired. */
export type EmailConfirmation = {
  readonly customerId: string
  readonly since: Instant
  readonly at: Instant
}
