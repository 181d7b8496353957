import type { Extra, Plan } from "../catalogue/catalogue"
import { type AppliedDiscount, type Extras, type Quote, quote } from "../catalogue/pricing"
import type { Discount } from "../catalogue/promotion"
import { type Money, money } from "../money/money"
import { taxLines } from "./tax"

/**
 * Prices for a business that owes the tax itself: those of the catalogue without the tax that a consumer pays. Each price is
 * rounded by itself, like those of a list, so that a page which adds them up has the same total as the order.
 */

/** A price without the tax of a rate in basis points, which it includes, with half a cent of tax rounded up. Undoes `withTaxAdded`. */
export function withoutTax(price: Money, basisPoints: number): Money {
  if (basisPoints === 0) return price
  const [line] = taxLines([{ amount: Math.abs(price.minor), basisPoints }], {
    discount: 0,
    prices: "inclusive",
  })
  const net = line?.net ?? 0
  return money(price.minor < 0 ? -net : net, price.currency)
}

/** A plan with all its prices without tax. */
export function planWithoutTax<P extends Plan>(plan: P, basisPoints: number): P {
  if (basisPoints === 0) return plan
  const extra = (it: Extra | null) => it && extraWithoutTax(it, basisPoints)
  return {
    ...plan,
    price: withoutTax(plan.price, basisPoints),
    extraConnection: extra(plan.extraConnection),
    proxyProtection: extra(plan.proxyProtection),
  }
}

/** An option without tax. */
export function extraWithoutTax(extra: Extra, basisPoints: number): Extra {
  return { ...extra, price: withoutTax(extra.price, basisPoints) }
}

/** What a promotion takes off prices without tax: a percentage as before, a fixed amount without its tax. */
export function discountWithoutTax(discount: Discount, basisPoints: number): Discount {
  if (discount.kind === "percentage") return discount
  return { kind: "fixed", amount: withoutTax(discount.amount, basisPoints) }
}

/** The quote of a plan at prices without tax. Its lines name the prices with it. */
export function quoteWithoutTax(
  plan: Plan,
  extras: Extras,
  { applied, basisPoints }: { readonly applied: AppliedDiscount | null; readonly basisPoints: number },
): Quote {
  const listed = quote(plan, extras, applied)
  if (basisPoints === 0) return listed
  const net = quote(
    planWithoutTax(plan, basisPoints),
    extras,
    applied && { ...applied, discount: discountWithoutTax(applied.discount, basisPoints) },
  )
  return withListed(net, listed)
}

/** A quote whose lines name the prices of another one, with the same lines at other prices. */
export function withListed({ lines, total }: Quote, listed: Quote): Quote {
  return { lines: lines.map((line, at) => ({ ...line, listed: listed.lines[at]?.amount })), total }
}
