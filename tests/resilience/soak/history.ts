import type { Access } from "../../fixtures/no-script-purchase"

/** What buyers and new connections saw of a shop while it crashed. Instants are by the machine's clock. */
export type SoakHistory = {
  readonly buyers: readonly BuyerHistory[]
  readonly connections: readonly NewConnection[]
  /** When the shop could not answer. */
  readonly outages: readonly Period[]
  /** Number of requests that each instance answered; empty for a shop with one instance. */
  readonly answeredBy: readonly number[]
}

export type BuyerHistory = {
  readonly email: string
  /** The order numbers that pages showed. */
  readonly orders: readonly string[]
  /** The credentials that pages showed, oldest first. */
  readonly access: readonly Access[]
  /** Why the buyer did not get credentials; null if they did. */
  readonly failure: string | null
}

/**
 * `isAnswered`: the first byte of an answer arrived at `until`; otherwise the connection ended then without it.
 * `bareWait`: milliseconds for which a bare server on the same machine let a new connection wait meanwhile.
 */
export type NewConnection = Period & { readonly isAnswered: boolean; readonly bareWait: number }

export type Period = { readonly from: number; readonly until: number }
