import type { MiddlewareFunction } from "react-router"
import { type Services, servicesContext } from "~/context/services.server"

/** The description of the billing API is 404 in a shop that does not serve it, whatever the method. */
export const billingApiExists = existsIf(({ apiAuth }) => apiAuth !== null)

/** Reports of mail relays are 404 in a shop without a key for them, whatever the method. */
export const mailEventsExist = existsIf(({ mailEventKeys }) => mailEventKeys.length > 0)

function existsIf(isServed: (services: Services) => boolean): MiddlewareFunction<Response> {
  return ({ context }) => {
    if (!isServed(context.get(servicesContext))) throw new Response(null, { status: 404 })
  }
}
