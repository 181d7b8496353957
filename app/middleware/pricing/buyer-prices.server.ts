import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { pricedFor } from "~/flows/checkout/priced-for.server"
import { buyerPlaceOf } from "./buyer-place.server"

/** Prices with tax for the visitor's country, in a shop that adds it to those of the catalogue. */
export const buyerPrices: MiddlewareFunction<Response> = ({ request, context }) => {
  const services = context.get(servicesContext)
  const placeOf = async () => (await buyerPlaceOf(context, request.headers)).buyer
  context.set(servicesContext, pricedFor(services, placeOf))
}
