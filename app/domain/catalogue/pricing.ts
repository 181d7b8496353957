import type { BuyerPlace, Country } from "../customers/country"
import { type Currency, type Money, minus, money, plus, times } from "../money/money"
import type { Extra, Plan } from "./catalogue"
import { type Discount, discountOn } from "./promotion"

/** Country of the visitor and currency of the prices. */
export type PricingContext = {
  readonly country: Country
  readonly currency: Currency
  /** The signed-in customer pays in no other currency. */
  readonly isOnlyCurrency?: boolean
  /** By what the country is known, in a shop that taxes by it. */
  readonly buyer?: BuyerPlace | undefined
}

/** Selected extras. */
export type Extras = { readonly extraConnection: boolean; readonly proxyProtection: boolean }

export type AppliedDiscount = { readonly code: string; readonly discount: Discount }

export type QuoteLine = LineContent & {
  /** The amount with the tax that was taken off for a business which owes it itself; absent: none was. */
  readonly listed?: Money | undefined
}

type LineContent =
  | { readonly kind: "plan"; readonly productId: string; readonly name: string; readonly amount: Money }
  | ({ readonly kind: "extraConnection" | "proxyProtection"; readonly amount: Money } & Pick<
      Extra,
      "optionId" | "choiceId" | "name"
    >)
  | ({ readonly kind: "moreConnections"; readonly quantity: number; readonly amount: Money } & Pick<
      Extra,
      "optionId" | "choiceId" | "name"
    >)
  /** Further paid time of an existing service. */
  | {
      readonly kind: "renewal"
      readonly productId: string
      readonly name: string
      readonly months: number
      readonly amount: Money
    }
  /** Time of another plan or cycle for an existing service. */
  | {
      readonly kind: "planChange"
      readonly productId: string
      readonly name: string
      readonly months: number
      readonly amount: Money
    }
  /** What the unused time of the former plan takes off; below zero. `name`: of that plan. */
  | { readonly kind: "unusedTime"; readonly name: string; readonly amount: Money }
  /** Tax, other items, payments and credit on an invoice of an external billing system; may be negative. */
  | { readonly kind: "invoiceRest"; readonly amount: Money }
  /** Account credit that is bought. */
  | { readonly kind: "accountCredit"; readonly amount: Money }
  | { readonly kind: "discount"; readonly code: string; readonly amount: Money }

/** A quote: the only source of the amounts shown, ordered and charged. */
export type Quote = { readonly lines: readonly QuoteLine[]; readonly total: Money }

/** Quotes (cycle price + selected options) − discount, never below zero (specification, Prices). The discount line is negative. */
export function quote(plan: Plan, extras: Extras, applied: AppliedDiscount | null): Quote {
  const lines: QuoteLine[] = [
    { kind: "plan", productId: plan.id, name: plan.name, amount: plan.price },
    ...chosen("extraConnection", plan.extraConnection, extras.extraConnection),
    ...chosen("proxyProtection", plan.proxyProtection, extras.proxyProtection),
  ]
  const subtotal = lines.map((line) => line.amount).reduce(plus)
  if (!applied) return { lines, total: subtotal }

  const off = discountOn(subtotal, applied.discount)
  const discountLine: QuoteLine = { kind: "discount", code: applied.code, amount: times(off, -1) }
  return { lines: [...lines, discountLine], total: minus(subtotal, off) }
}

/** The product of the plan in a quote or an order; null: it has none, but adds to a service. */
export function planIdIn(lines: readonly QuoteLine[]): string | null {
  return lines.find((line) => line.kind === "plan")?.productId ?? null
}

/** The promo code of a quote or an order; null: none was applied. */
export function promoCodeIn(lines: readonly QuoteLine[]): string | null {
  return lines.find((line) => line.kind === "discount")?.code ?? null
}

/** Number of concurrent connections in a quote: one, and another for the extra connection. */
export function connectionsOf({ lines }: Quote): number {
  return lines.some(({ kind }) => kind === "extraConnection") ? 2 : 1
}

/** Quote of a plan at no charge: a reseller credit pays for it, or it is a free trial. */
export function freeQuote({ id, name, price }: Plan): Quote {
  const amount = money(0, price.currency)
  return { lines: [{ kind: "plan", productId: id, name, amount }], total: amount }
}

function chosen(
  kind: "extraConnection" | "proxyProtection",
  extra: Extra | null,
  wanted: boolean,
): QuoteLine[] {
  if (!extra || !wanted) return []
  const { optionId, choiceId, name, price } = extra
  return [{ kind, optionId, choiceId, name, amount: price }]
}
