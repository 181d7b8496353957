import type { MiddlewareFunction } from "react-router"
import { tryCode } from "~/flows/try-code.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { entryLinkOf } from "./entry.server"
import { tooMany } from "./too-many.server"
import { trierOf } from "./trier.server"

/** A link with a discount code is a try like any other, made before the code gets anywhere. */
export const codeInLink: MiddlewareFunction<Response> = async (visit) => {
  const { context } = visit
  const code = entryLinkOf(visit)?.promocode
  if (!code || code === context.get(sessionContext).choices.promoCode) return
  const tried = await tryCode(context.get(servicesContext), code, trierOf(context))
  if (!tried.ok) throw tooMany(tried.retryAfterSeconds)
}
