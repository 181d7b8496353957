import type { MiddlewareFunction } from "react-router"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { resolvePricingContext } from "~/flows/checkout/resolve-pricing-context.server"
import { buyerOf } from "./buyer-place.server"

/** Sets the pricing context: by the session's currency if the visitor has begun an order, otherwise by country. */
export const pricing: MiddlewareFunction<Response> = async ({ request, context }) => {
  const services = context.get(servicesContext)
  const { currency, customer } = context.get(sessionContext)
  const { country, buyer } = await buyerOf(context, request.headers)
  const visitor = { country, chosen: currency, customers: customer?.currency ?? null }
  context.set(pricingContext, { ...(await resolvePricingContext(services, visitor)), buyer })
}
