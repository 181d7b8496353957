import type { PresentTax } from "~/billing/tax-admin"
import type { Day } from "~/domain/calendar"
import { type Product, planOf, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import { currencies, type Money, money } from "~/domain/money/money"
import { orderTax, taxTotal } from "~/domain/orders/order-tax"
import { pricesWithTax } from "~/domain/orders/prices-with-tax"
import type { TaxPlace } from "~/domain/tax/tax"
import { taxRulesOf } from "~/domain/tax/tax-file"

/** What a buyer would pay for a plan in a currency. */
export type TaxPreview = {
  readonly place: TaxPlace
  /** In basis points. */
  readonly rate: number
  readonly net: Money
  readonly tax: Money
  readonly gross: Money
}

type Buying = { readonly buyer: BuyerPlace; readonly day: Day }

/**
 * What a buyer pays for a plan on a day, by currency, with the rules in force: as if their rates were checked, so that they can be
 * looked at before they are switched on. Empty without rules, or without a price.
 */
export function previewTax(
  { content }: Pick<PresentTax, "content">,
  product: Product,
  sale: Buying,
): readonly TaxPreview[] {
  const rules = content && taxRulesOf({ ...content, confirmedOn: content.confirmedOn ?? sale.day })
  if (!rules) return []
  const [priced = product] = pricesWithTax(rules, [product], sale)
  return currencies.flatMap((currency) => {
    const plan =
      priced.kind === "reseller" ? resellerPlansOffered([priced], currency)[0] : planOf(priced, currency)
    const tax = plan && orderTax(rules, quote(plan, noExtras, null), sale)
    if (!tax) return []
    const { net, tax: due, gross } = taxTotal(tax)
    const rate = tax.lines[0]?.basisPoints ?? 0
    const amounts = { net: money(net, currency), tax: money(due, currency), gross: money(gross, currency) }
    return [{ place: tax.place, rate, ...amounts }]
  })
}

const noExtras = { extraConnection: false, proxyProtection: false }
