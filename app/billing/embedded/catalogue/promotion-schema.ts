import { z } from "zod"
import type { Day } from "~/domain/calendar"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { Discount, Promotion } from "~/domain/catalogue/promotion"
import { discountFields } from "~/domain/catalogue/promotion-type"
import { fromDecimal } from "~/domain/money/money"
import { CurrencyCode, Decimal } from "./catalogue-schema"

/** Promotion as the operator defines it. `maxUses`: null for no limit. */
export type PromotionDefinition = Omit<Promotion, "remainingUses" | "isOff"> & {
  readonly maxUses: number | null
}

const NONE = "0000-00-00"
const ALL = 10_000
/** `renewals` of a discount on every renewal, in file and database. */
const ALL_RENEWALS = -1

const ShopDay = z
  .literal(NONE)
  .or(z.iso.date())
  .transform((day): Day | null => (day === NONE ? null : day))
const FileDay = z.preprocess((day) => day ?? NONE, ShopDay)

const Kind = z
  .string("is missing")
  .transform((kind) => kind.toLowerCase().replaceAll(" ", ""))
  .pipe(z.enum(["percentage", "fixedamount"], 'is neither "Percentage" nor "Fixed Amount"'))

const Code = z.string("is missing").trim().min(1, "is empty").max(64, "is longer than 64 characters")

/** Promotion with the field names of the billing API (specification, Promotions), plus the currency that a fixed amount needs. */
export const PromotionShape = z
  .strictObject({
    code: Code,
    appliesto: z.string('is not a list of product ids such as "1,2,3"'),
    type: Kind,
    value: Decimal,
    currency: CurrencyCode.optional(),
    startdate: FileDay,
    expirationdate: FileDay,
    maxuses: z.int("is not a whole number; 0 is without limit").min(0, "is below 0").default(0),
    renewals: z
      .int("is not a whole number; -1 is all renewals")
      .min(ALL_RENEWALS, "is below -1, which is all renewals")
      .default(0),
    cycles: z
      .array(z.enum(cycles, `is none of ${cycles.join(", ")}`), "is not a list of billing cycles")
      .default([]),
    maxusesperperson: z.int("is not a whole number; 0 is without limit").min(0, "is below 0").default(0),
  })
  .transform((row, context): PromotionDefinition => {
    const discount = discountOf(row)
    if (typeof discount === "string") return refused(context, discount)
    if (row.startdate && row.expirationdate && row.expirationdate < row.startdate)
      return refused(context, "is before the first day", ["expirationdate"])
    return {
      code: row.code,
      productIds: idsIn(row.appliesto),
      startsOn: row.startdate,
      endsOn: row.expirationdate,
      discount,
      maxUses: row.maxuses || null,
      ...renewalsOf(row.renewals),
      ...cyclesOf(row.cycles),
      ...(row.maxusesperperson > 0 && { usesPerPerson: row.maxusesperperson }),
    }
  })

type Worth = {
  type: "percentage" | "fixedamount"
  value: string
  currency?: "EUR" | "GBP" | "USD" | undefined
}

/** Returns the discount, or an error message. */
function discountOf({ type, value, currency }: Worth): Discount | string {
  if (type === "fixedamount")
    return currency
      ? { kind: "fixed", amount: fromDecimal(value, currency) }
      : "is a Fixed Amount and needs a currency"
  const basisPoints = fromDecimal(value, "EUR").minor
  return basisPoints <= ALL ? { kind: "percentage", basisPoints } : "takes off more than 100 percent"
}

function refused(context: z.RefinementCtx, message: string, path: string[] = []): never {
  context.addIssue({ code: "custom", message, path })
  return z.NEVER
}

/** The number of renewals as file and database have it: -1 for all. */
export function renewalsOf(count: number | null): Pick<PromotionDefinition, "renewals"> {
  if (!count) return {}
  return { renewals: count === ALL_RENEWALS ? "all" : count }
}

/** The inverse of `renewalsOf`. */
export function serializeRenewals({ renewals = 0 }: Pick<PromotionDefinition, "renewals">): number {
  return renewals === "all" ? ALL_RENEWALS : renewals
}

/** The billing cycles of a list, each once and in their order; an empty list means all. */
export function cyclesOf(list: readonly string[]): Pick<PromotionDefinition, "cycles"> {
  const named = cycles.filter((cycle) => list.includes(cycle))
  return named.length === 0 ? {} : { cycles: named }
}

/** Parses a comma-separated list of product ids; an empty list means no product. */
export function idsIn(list: string): string[] {
  return list
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean)
}

/** Serializes a promotion with the field names of the billing API (specification, Promotions). */
export function serializePromotion({ discount, ...promotion }: PromotionDefinition) {
  return {
    code: promotion.code,
    appliesto: promotion.productIds.join(","),
    ...discountFields(discount),
    startdate: promotion.startsOn ?? NONE,
    expirationdate: promotion.endsOn ?? NONE,
    maxuses: promotion.maxUses ?? 0,
    ...(promotion.renewals !== undefined && { renewals: serializeRenewals(promotion) }),
    ...(promotion.cycles !== undefined && { cycles: promotion.cycles }),
    ...(promotion.usesPerPerson !== undefined && { maxusesperperson: promotion.usesPerPerson }),
  }
}
