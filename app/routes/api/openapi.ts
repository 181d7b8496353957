import { apiDescription } from "~/billing-api/contract/openapi"
import { servicesContext } from "~/context/services.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import { billingApiExists } from "~/middleware/served-apis.server"
import type { Route } from "./+types/openapi"

export const middleware: Route.MiddlewareFunction[] = [
  billingApiExists,
  rejection,
  allowMethods("GET", "HEAD"),
]

/** OpenAPI description of the billing API. Public: it contains no secrets. */
export function loader({ context }: Route.LoaderArgs) {
  const { shop } = context.get(servicesContext)
  return Response.json(apiDescription(shop.publicUrl), { headers: { "cache-control": "no-store" } })
}
