import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { tryCode } from "~/flows/checkout/limit-promo-codes.server"
import { entryLinkOf } from "./entry-link.server"
import { trierOf } from "./rate-limit-subject.server"
import { tooMany } from "./too-many-requests.server"

/** A link with a discount code is a try like any other, made before the code gets anywhere. */
export const codeInLink: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const code = entryLinkOf(visit)?.promocode
  if (!code || code === context.get(sessionContext).choices.promoCode) return
  const tried = await tryCode(context.get(servicesContext), code, trierOf(context))
  if (!tried.ok) throw tooMany(tried.retryAfterSeconds)
}
