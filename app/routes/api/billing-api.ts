import { handleApiRequest } from "~/billing-api/api-handler.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import type { Route } from "./+types/billing-api"

/** The served billing API (specification, Billing API) for callers with an API key; 404 if no key is configured. */
async function handle({ request, url, params, context }: Route.LoaderArgs | Route.ActionArgs) {
  const services = context.get(servicesContext)
  if (!services.apiAuth) throw new Response(null, { status: 404 })
  const { address, rejection } = context.get(requestContext)
  return handleApiRequest({ services, request, url, name: params.call, address, rejection })
}

export const loader = handle
export const action = handle
