import type { Instant } from "~/domain/calendar"

/** Where credits come from (`issued`), and what a customer holds of them. */
export type CreditAccount = "issued" | `held ${string}`

/** Credits that went from one account to another: never changed, never taken back. `amount` is above zero. */
export type CreditEntryRow = {
  id: string
  from_account: CreditAccount
  to_account: CreditAccount
  amount: number
  /** What caused it: the same cause moves credits once. */
  reference: string
  /** The operator's words, where it was he. */
  reason: string | null
  at: Instant
}

export type CreditBalanceRow = { account: CreditAccount; balance: number }
