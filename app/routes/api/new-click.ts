import { errorResponse } from "~/billing-api/api-handler.server"
import { isKnownCaller } from "~/billing-api/api-request.server"
import { Click } from "~/billing-api/contract/catalogue"
import { ApiError } from "~/billing-api/handlers/api-error"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { recordClick } from "~/flows/customers/record-click.server"
import { formOf, jsonOf } from "~/http/form.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/new-click"

export const middleware: Route.MiddlewareFunction[] = [rejection, allowMethods("POST")]

/**
 * Records an affiliate click that happened on another site (specification, Guards). The API key is optional: a storefront sends
 * it with its visitors' clicks, a page of another site has none. A wrong key is rejected, so that a misconfigured
 * storefront does not count all its visitors as one.
 */
export async function action({ request, context }: Route.ActionArgs) {
  try {
    return await recorded(request, context)
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error, undefined)
    throw error
  }
}

async function recorded(request: Request, context: Route.ActionArgs["context"]): Promise<Response> {
  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const isStorefront = request.headers.has("x-api-key")
  if (isStorefront && !isKnownCaller(services, request)) {
    limited(await services.rateLimits.wrongKey(address))
    throw new ApiError("invalid-api-key", "Invalid x-api-key")
  }
  const click = Click.safeParse(await fieldsOf(request))
  if (!click.success) throw new ApiError("bad-request", "Invalid aff_id, referer or visitor")
  const { aff_id: affiliateId, referer = null, visitor = services.newId() } = click.data
  if (isStorefront) {
    // The caller's own address is not the visitor's.
    await recordClick(services, { affiliateId, address: visitor, userAgent: null, referer })
    return Response.json({ result: "success" })
  }
  limited(await services.rateLimits.click(address))
  const userAgent = request.headers.get("user-agent")
  const page = referer ?? request.headers.get("referer")
  await recordClick(services, { affiliateId, address, userAgent, referer: page })
  return new Response(null, { status: 204 })
}

type Limited = { ok: true } | { ok: false; retryAfterSeconds: number }

/** Throws the API's 429 when a limit is exceeded. */
function limited(result: Limited): void {
  if (!result.ok) throw new ApiError("rate-limited", "Rate limit exceeded", result.retryAfterSeconds)
}

/** Parses a form or JSON body. */
async function fieldsOf(request: Request): Promise<unknown> {
  if (request.headers.get("content-type")?.startsWith("application/json")) {
    return jsonOf(request)
  }
  return Object.fromEntries(await formOf(request))
}
