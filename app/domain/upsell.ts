import { type Extra, extraOf, type Product, planOf } from "./catalogue"
import { times } from "./money"
import type { Quote } from "./pricing"
import type { Service } from "./service"

/** How many connections can be added at once; one is what is offered first (spec, section 9). */
export const UPSELL_QUANTITY = { least: 1, preset: 1, most: 10 } as const

/**
 * One more connection for a service: the extra-connection option of its product, priced in the service's own
 * currency for its own cycle, one-time payments as monthly (spec, section 9). Null when it is not sold like that.
 */
export function extraFor(service: Service, product: Product): Extra | null {
  const cycle = service.cycle ?? planOf(product, service.currency)?.cycle
  return cycle ? extraOf(product.options[0], service.currency, cycle) : null
}

/** Unit price times quantity (spec, section 9). */
export function quoteUpsell({ price, ...extra }: Extra, quantity: number): Quote {
  const amount = times(price, quantity)
  return { lines: [{ kind: "moreConnections", ...extra, quantity, amount }], total: amount }
}

/** The field in which a form says what it showed of one more connection for a service, in minor units. */
export const unitField = (serviceId: string) => `unit ${serviceId}`
