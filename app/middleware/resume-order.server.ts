import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withOrder } from "~/context/session.server"
import { signInScreen } from "~/domain/interstitial"
import { resumeOrder } from "~/flows/payments/resume-order.server"
import { entryLinkOf } from "./entry-link.server"
import { inPlace } from "./interstitial.server"
import { isPerson } from "./request-kind.server"

/**
 * The way back from the gateway leads to the order in whichever browser the buyer comes back, once: the first one
 * has it from then on, any other has to prove that it is his (design, section 5).
 */
export const resume: MiddlewareFunction<Response> = async (visit) => {
  const { request, context } = visit
  const token = entryLinkOf(visit)?.resume
  if (!token || !isPerson(request)) return
  const session = context.get(sessionContext)
  const resumed = await resumeOrder(context.get(servicesContext), token, session)
  if (resumed.kind === "used") throw inPlace(signInScreen({ reason: "used-link" }), 401)
  if (resumed.kind === "resumed") context.set(sessionContext, withOrder(session, resumed.order))
}
