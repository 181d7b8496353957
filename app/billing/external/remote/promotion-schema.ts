import { z } from "zod"
import type { ExternalPromotion } from "~/billing/external/external-billing"
import type { Discount } from "~/domain/catalogue/promotion"
import { type Currency, currencies, fromDecimal } from "~/domain/money/money"
import { Flag, listOf, TextField } from "./lenient-schema"

const Decimal = TextField.pipe(z.string().regex(/^\d{1,9}(\.\d{1,2}0*)?$/, "is not an amount"))
const Count = TextField.pipe(z.string().regex(/^\d{0,9}$/, "is not a count")).transform(Number)
/** `0000-00-00` and a missing value become null. */
const Day = TextField.transform((text) =>
  /^\d{4}-\d\d-\d\d/.test(text) && !text.startsWith("0000") ? text.slice(0, 10) : null,
)

const RemotePromotion = z.object({
  code: TextField.pipe(z.string().min(1)),
  type: TextField,
  value: Decimal,
  appliesto: TextField,
  startdate: Day,
  expirationdate: Day,
  maxuses: Count,
  uses: Count,
  /** Extras: the currency of a fixed discount, and whether cancelling an order releases its use. */
  currency: z.enum(currencies).optional().catch(undefined),
  usesreturn: Flag,
})
export type RemotePromotion = z.output<typeof RemotePromotion>

/** Valid only with exactly one promotion and no error (specification, Promotions). */
export const PromotionsResponse = z.object({
  result: TextField,
  message: TextField,
  promotions: listOf("promotion", RemotePromotion),
})

/** Null: unsupported kind of discount (price override, free set-up). */
export function promotionOf(result: RemotePromotion, standard: Currency): ExternalPromotion | null {
  const discount = discountOf(result, result.currency ?? standard)
  if (!discount) return null
  const { code, startdate: startsOn, expirationdate: endsOn, uses, usesreturn: releasesUses } = result
  const productIds = result.appliesto
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean)
  const maxUses = result.maxuses === 0 ? null : result.maxuses
  return { code, productIds, startsOn, endsOn, discount, maxUses, uses, releasesUses }
}

function discountOf({ type, value }: RemotePromotion, currency: Currency): Discount | null {
  const amount = fromDecimal(value, currency)
  const kind = type.toLowerCase().replaceAll(" ", "")
  if (kind === "percentage") return { kind: "percentage", basisPoints: Math.min(amount.minor, 10_000) }
  return kind.startsWith("fixed") ? { kind: "fixed", amount } : null
}
