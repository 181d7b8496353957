import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { isGatewayId } from "~/domain/payments/gateway-id"
import { type Reception, receiveCallback } from "~/flows/payments/receive-callback.server"
import { retryAfter } from "~/http/retry-after.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/payment-callback"

export const middleware: Route.MiddlewareFunction[] = [rejection, allowMethods("POST")]

const statusOf: Record<Reception["kind"], number> = { accepted: 204, rejected: 401, "no-such-gateway": 404 }

/** Gateway callback (webhook). The response is a bare status, since the caller may be hostile. */
export async function action({ request, params, context }: Route.ActionArgs) {
  if (!isGatewayId(params.gateway)) throw new Response(null, { status: 404 })
  const { at, address } = context.get(requestContext)
  const callback = {
    headers: request.headers,
    body: Buffer.from(await request.arrayBuffer()),
    at,
    address,
  }
  const reception = await receiveCallback(context.get(servicesContext), params.gateway, callback)
  if (reception.kind !== "rejected" || reception.retryAfterSeconds === 0)
    return new Response(null, { status: statusOf[reception.kind] })
  return new Response(null, { status: 429, headers: retryAfter(reception.retryAfterSeconds) })
}
