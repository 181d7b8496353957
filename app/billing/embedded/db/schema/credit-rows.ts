import type { Instant } from "~/domain/calendar"

/** Reseller credit account: `issued` is the source of all credits, `held ID` belongs to a customer. */
export type ResellerCreditAccount = "issued" | `held ${string}`

/** Append-only transfer between two reseller credit accounts. `amount` is above zero; zero only of a refund that found no credits. */
export type ResellerCreditEntryRow = {
  id: string
  from_account: ResellerCreditAccount
  to_account: ResellerCreditAccount
  amount: number
  /** Idempotency key: the cause of the transfer, unique. */
  reference: string
  /** Reason given by the operator; null for other causes. */
  reason: string | null
  at: Instant
}

export type ResellerCreditBalanceRow = { account: ResellerCreditAccount; balance: number }
