import type { MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { resolvePricingContext } from "~/flows/checkout/resolve-pricing-context.server"

/** Pages with prices are in the visitor's currency: where he is decides, unless he has begun to choose already. */
export const pricingContext: MiddlewareFunction<Response> = async ({ request, context }) => {
  const services = context.get(servicesContext)
  const { currency, customer } = context.get(sessionContext)
  const { address } = context.get(requestContext)
  const country = await services.countryOf({ address, headers: request.headers })
  const visitor = { country, chosen: currency, customers: customer?.currency ?? null }
  context.set(servicesContext, {
    ...services,
    pricingContext: await resolvePricingContext(services, visitor),
  })
}
