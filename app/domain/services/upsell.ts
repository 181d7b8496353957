import type { Instant } from "../calendar"
import { type Extra, extraOf, type Product, planOf } from "../catalogue/catalogue"
import type { Quote } from "../catalogue/pricing"
import { times } from "../money/money"
import { extraWithoutTax, withListed } from "../tax/net-prices"
import type { Service } from "./service"
import { isTrial } from "./term"

/** Limits and default of the number of extra connections (specification, Constants). */
export const UPSELL_QUANTITY = { min: 1, preset: 1, max: 10 } as const

/**
 * The extra-connection option of a service's product, priced in the service's currency and cycle, one-time as monthly
 * (specification, Prices). Null if it has no such price, or if the service is a free trial or its paid time is over at `at`:
 * connections are paid for a cycle, which it has not.
 */
export function extraFor(service: Service, product: Product, at: Instant): Extra | null {
  if (isTrial(service.term) || isOver(service, at)) return null
  const cycle = service.cycle ?? planOf(product, service.currency)?.cycle
  return cycle ? extraOf(product.options[0], service.currency, cycle) : null
}

/** Whether a service works unpaid: within its grace it is renewed first. An external billing says itself what it sells. */
function isOver({ term, paidUntil }: Pick<Service, "term" | "paidUntil">, at: Instant): boolean {
  return term !== null && paidUntil !== null && paidUntil <= at
}

/** Unit price times quantity (specification, Prices). */
export function quoteUpsell({ price, ...extra }: Extra, quantity: number): Quote {
  const amount = times(price, quantity)
  return { lines: [{ kind: "moreConnections", ...extra, quantity, amount }], total: amount }
}

/** The quote of extra connections at a price without the tax of a rate in basis points. */
export function quoteUpsellWithoutTax(extra: Extra, quantity: number, basisPoints: number): Quote {
  const listed = quoteUpsell(extra, quantity)
  if (basisPoints === 0) return listed
  return withListed(quoteUpsell(extraWithoutTax(extra, basisPoints), quantity), listed)
}

/** Name of the form field with the unit price that the page showed for a service, in minor units. */
export const unitField = (serviceId: string) => `unit ${serviceId}`
