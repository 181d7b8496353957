import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { ShownUnit, UpsellForm } from "~/domain/forms/upsell-form"
import { unitField } from "~/domain/services/upsell"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { placeServiceOrder, type RouteArgs } from "../order/place-service-order.server"

/** Places an upsell order and redirects to the gateway. Returns why the form is refused. */
export async function orderUpsell(form: FormData, args: RouteArgs) {
  const submission = submitted(form, UpsellForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { serviceid, ...input } = submission.value
  const { context } = args
  const services = context.get(servicesContext)
  const service = await accessibleService(services, context.get(sessionContext), serviceid)
  if (!service) throw data({ kind: "not-found" }, { status: 404 })
  const shownUnit = ShownUnit.parse(form.get(unitField(serviceid)))
  return placeServiceOrder(args, {
    form,
    submission,
    key: input.key,
    gateway: input.gateway,
    law: service.kind === "plan" ? "start" : "resellers",
    place: (buyer) => buyUpsell(services, { ...input, ...buyer, service, shownUnit }),
  })
}
