import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { AccountCreditCause } from "../payments/account-credit-cause"

/** Where instants lie: at `from` or after it, and before `until`. */
export type AccountingSpan = { readonly from: Instant; readonly until: Instant }

/**
 * An entry of a ledger. `payment`, `refund`: money that came or went, through a gateway or outside them; refunds are negative. `credit`: what
 * became account credit of a customer; negative: credit that was used.
 */
export type AccountingEntry = {
  readonly at: Instant
  readonly kind: "payment" | "refund" | "credit"
  /** Why account credit moved; null for payments and refunds. `assigned`: a payment without an order, to its customer. */
  readonly cause: AccountCreditCause | "assigned" | null
  /** Null: no gateway moved it. */
  readonly gateway: GatewayId | null
  /** The provider's transaction; null: it names none. */
  readonly transactionId: string | null
  /** Null: credit that an operator has granted, or a payment without an order that was assigned to a customer. */
  readonly orderId: string | null
  readonly amount: Money
}

export type AccountingPage = {
  readonly entries: readonly AccountingEntry[]
  /** Where the next page begins; null: there are no more. */
  readonly next: string | null
}

/** Port of the ledgers as a bookkeeper reads them. Every call may throw a `BillingError`. */
export interface Accounting {
  /** Entries of both ledgers in a span, oldest first, at most `limit`. `after`: the `next` of the page before. */
  accountingEntries(
    span: AccountingSpan,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<AccountingPage>
}
