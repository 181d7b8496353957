import { z } from "zod"
import { parseDecimal } from "~/domain/money/decimal"
import { currencies } from "~/domain/money/money"

/** Fields that the providers' responses and callbacks have in common. */

export const Currency = z.enum(currencies)

/** An amount of money: a decimal without a fraction of a cent. */
export const MoneyText = z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "must be an amount of money")

/** URL of a payment page. */
export const PageUrl = z.url({ protocol: /^https?$/ })

/** An id that becomes part of a URL path, so it starts with a word character and cannot be "..". */
export const resourceId = (what: string) => z.string().regex(/^\w[\w-]{0,99}$/, `must be ${what}`)

/** An exact decimal with at most `whole` digits before the point and `places` after it. */
export function exactDecimal({ whole, places }: { whole: number; places: number }) {
  const form = new RegExp(`^\\d{1,${whole}}(\\.\\d{1,${places}})?$`)
  return z.string().regex(form, "must be a decimal amount").transform(parseDecimal)
}

/** The shop's id of an attempt, as it was sent to the provider. */
export const AttemptId = z.string().min(1).max(200)
