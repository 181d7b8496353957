import { type Money, min, minus } from "../money/money"

/** Account credit that the next order of a signed-in buyer would use, with what the page calls it. */
export type UsableCredit = {
  readonly amount: Money
  readonly texts: {
    readonly used: string
    readonly left: string
    /** The button that orders what the credit pays whole. */
    readonly covered: string
  }
}

/**
 * What account credit pays of a total, and what is left to pay; null: it pays nothing of it. `covered`: words of the button if it pays
 * all of it.
 */
export function appliedCredit(credit: UsableCredit | null | undefined, total: Money) {
  if (!credit) return null
  const used = min(credit.amount, total)
  const left = minus(total, used)
  return used.minor > 0
    ? { texts: credit.texts, used, left, covered: left.minor > 0 ? null : credit.texts.covered }
    : null
}

export type AppliedCredit = NonNullable<ReturnType<typeof appliedCredit>>
