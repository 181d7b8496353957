import { data } from "react-router"
import { isKnownCaller } from "~/billing-api/api-request.server"
import { Click } from "~/billing-api/contract/catalogue"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { recordClick } from "~/flows/customers/record-click.server"
import { formOf, jsonOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import type { Route } from "./+types/new-click"

export const middleware: Route.MiddlewareFunction[] = [allowMethods("POST")]

/** Records an affiliate click that happened on another site (spec, section 7). */
export async function action({ request, context }: Route.ActionArgs) {
  const click = Click.safeParse(await fieldsOf(request))
  if (!click.success) throw data(null, { status: 400 })
  const services = context.get(servicesContext)
  const { aff_id: affiliateId, referer, visitor } = click.data
  if (isKnownCaller(services, request)) {
    // The caller is a shop that reports its visitors' clicks: its own address is not the visitor's.
    const address = visitor ?? services.newId()
    await recordClick(services, { affiliateId, address, userAgent: null, referer: referer ?? null })
    return Response.json({ result: "success" })
  }
  const { address } = context.get(requestContext)
  const allowed = await services.rateLimits.click(address)
  if (!allowed.ok) {
    return new Response(null, { status: 429, headers: retryAfter(allowed.retryAfterSeconds) })
  }
  await recordClick(services, {
    affiliateId,
    address,
    userAgent: request.headers.get("user-agent"),
    referer: referer ?? request.headers.get("referer"),
  })
  return new Response(null, { status: 204 })
}

/** Parses a form or JSON body. */
async function fieldsOf(request: Request): Promise<unknown> {
  if (request.headers.get("content-type")?.startsWith("application/json")) {
    return jsonOf(request)
  }
  return Object.fromEntries(await formOf(request))
}
