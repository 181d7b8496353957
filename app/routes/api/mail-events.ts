import { z } from "zod"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { mayReport, receiveMailEvents } from "~/flows/mail/receive-mail-events.server"
import { jsonOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import { mailEventsExist } from "~/middleware/served-apis.server"
import type { Route } from "./+types/mail-events"

export const middleware: Route.MiddlewareFunction[] = [mailEventsExist, rejection, allowMethods("POST")]

const Events = z.object({
  events: z
    .array(
      z.object({
        messageId: z.string().min(1).max(400),
        type: z.enum(["bounced", "complained"]),
        status: z
          .string()
          .regex(/^\d\.\d{1,3}\.\d{1,3}$/)
          .nullable()
          .default(null),
      }),
    )
    .max(500),
})

/** Bounces and complaints that a mail relay reports by webhook (docs/mail.md). 404 without keys, 401 with a wrong one. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const [scheme, key = ""] = (request.headers.get("authorization") ?? "").split(" ")
  // The name of a scheme has no case (RFC 9110, section 11.1).
  if (scheme?.toLowerCase() !== "bearer" || !mayReport(services, key)) {
    const limited = await services.rateLimits.wrongKey(context.get(requestContext).address)
    if (!limited.ok)
      return new Response(null, { status: 429, headers: retryAfter(limited.retryAfterSeconds) })
    return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } })
  }
  const report = Events.safeParse(await jsonOf(request))
  if (!report.success) return Response.json({ error: z.prettifyError(report.error) }, { status: 400 })
  return Response.json({ known: await receiveMailEvents(services, report.data.events) })
}
