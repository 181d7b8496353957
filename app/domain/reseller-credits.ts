import type { Instant } from "./calendar"

/** What making a line for a customer of his own costs a reseller. */
export const CREDITS_PER_LINE = 1

/** Why credits moved: a plan was paid, the shop gave some, a line was made. */
export type CreditCause = "plan" | "gift" | "line"

/** One movement of a reseller's credits; what has left him is below zero. `reference`: the order, where there is one. */
export type CreditMovement = {
  readonly cause: CreditCause
  readonly amount: number
  readonly reference: string | null
  readonly at: Instant
}

/** What a reseller holds, and the last of what has happened to it, the newest first. */
export type Credits = { readonly balance: number; readonly movements: readonly CreditMovement[] }
