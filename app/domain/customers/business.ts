import type { Instant } from "../calendar"

/**
 * What is known of a number for tax. `unchecked`: the shop asks nobody. `unanswered`: the service for it did not answer, and is
 * asked again.
 */
export const numberAnswers = ["valid", "invalid", "unanswered", "unchecked"] as const
export type NumberAnswer = (typeof numberAnswers)[number]

/** The answer about a number for tax, kept as evidence. */
export type NumberCheck = {
  readonly result: NumberAnswer
  readonly at: Instant
  /** Identifier that the service has given to the request; null: none. */
  readonly requestId: string | null
}

/** A business that buys. */
export type Business = {
  readonly company: string
  /** Street; postcode and city. */
  readonly address: readonly string[]
  /** With its prefix and without separators, such as `FR40303265045` or `CHE107787577`. */
  readonly taxNumber: string
  readonly check: NumberCheck
}
