import type { Instant } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"

/**
 * Port of requests to sign in by mail. A request is open until it is used, replaced by a newer one of the same e-mail and
 * session, or used up by wrong codes. Every call may throw a `BillingError`.
 */
export interface SignInRequests {
  /**
   * Stores a request, ends the session's earlier ones of that e-mail and enqueues the message, in one transaction. Those of
   * other sessions go on: a stranger who asks for the same e-mail ends nobody's code. The same work for every e-mail:
   * whether there is a customer is looked up when the message is sent.
   */
  create(request: NewSignInRequest): Promise<void>
  /**
   * The request of a link or message; null unless it is open and was created after `since`. The session that has just used
   * it still gets it (`REPEAT_PERIOD`).
   */
  find(id: string, visit: Visit): Promise<SignInRequest | null>
  /** Counts a try of the code; null if there is none left, or for any other session than the one that asked. */
  countCodeTry(id: string, visit: Visit): Promise<SignInRequest | null>
  /** Ends a request whose codes are used up. */
  end(id: string, at: Instant): Promise<void>
  /**
   * Uses a request and records that the customer has proven the e-mail. Of concurrent calls of several sessions one gets
   * true; calls of the session that has just used it do too.
   */
  use(
    id: string,
    use: { readonly customerId: string; readonly sessionId: string; readonly at: Instant },
  ): Promise<boolean>
  /** Deletes requests created before. Returns how many were deleted. */
  deleteRequests(before: Instant): Promise<number>
}

export type NewSignInRequest = {
  readonly id: string
  /** As typed. */
  readonly email: string
  /** Language of the message. */
  readonly locale: LocaleCode
  /** The session that asks. */
  readonly sessionId: string
  /** An operator asks for the customer: the message has the link alone, and replaces the one before. */
  readonly isByOperator?: boolean
  readonly at: Instant
}

type Visit = { readonly sessionId: string; readonly since: Instant; readonly at: Instant }

export type SignInRequest = {
  /** Normalized e-mail. */
  readonly email: string
  /** Tries of the code so far. */
  readonly tries: number
}
