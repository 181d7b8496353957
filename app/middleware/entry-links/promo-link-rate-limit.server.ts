import { data, type MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { statusOf } from "~/domain/error-kind"
import { limitPromoCodes } from "~/flows/checkout/limit-promo-codes.server"
import { rateLimitSubject } from "../rate-limit-subject.server"
import { entryLinkOf } from "./entry-link.server"

/** Counts a promo code in a link towards the rate limit before the code is stored in the session. */
export const promoLinkRateLimit: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const code = entryLinkOf(visit)?.promocode
  if (!code || code === context.get(sessionContext).choices.promoCode) return
  const tried = await limitPromoCodes(context.get(servicesContext), code, rateLimitSubject(context))
  if (tried.ok) return
  const { retryAfterSeconds } = tried
  throw data({ kind: "too-many", retryAfterSeconds }, { status: statusOf["too-many"] })
}
