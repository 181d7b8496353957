import type { MiddlewareFunction } from "react-router"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { accountCurrency, sessionContext } from "~/context/session.server"
import { resolvePricingContext } from "~/flows/checkout/resolve-pricing-context.server"
import { buyerPlaceOf } from "./buyer-place.server"

/** Sets the pricing context: by the currency of the session and of the account, otherwise by country. */
export const pricing: MiddlewareFunction<Response> = async ({ request, context }) => {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { country, buyer } = await buyerPlaceOf(context, request.headers)
  const { hasSingleCurrency } = services
  const visitor = {
    country,
    chosen: session.currency,
    customers: accountCurrency(session),
    hasSingleCurrency,
  }
  context.set(pricingContext, { ...(await resolvePricingContext(services, visitor)), buyer })
}
