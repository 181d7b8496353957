import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { shownField } from "~/domain/forms/renewal-fields"
import { InvoiceForm, RenewalForm, ShownPrice } from "~/domain/forms/renewal-form"
import type { Service } from "~/domain/services/service"
import { accessibleService, accessibleServices } from "~/flows/services/accessible-services.server"
import { renewByInvoice } from "~/flows/services/renew-by-invoice.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { placeServiceOrder, type RouteArgs } from "../order/place-service-order.server"

/** Places a renewal of services within the visitor's reach: see `placeRenewal`. */
export async function orderRenewal(form: FormData, args: RouteArgs) {
  const { context } = args
  const accessible = await accessibleServices(context.get(servicesContext), context.get(sessionContext))
  return placeRenewal(form, args, accessible)
}

/** Places the payment of a renewal invoice of an external billing system, and redirects to the gateway. */
export async function orderInvoice(form: FormData, args: RouteArgs) {
  const submission = submitted(form, InvoiceForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { serviceid, invoice: invoiceId, key, gateway } = submission.value
  const services = args.context.get(servicesContext)
  const { invoiceRenewals } = services
  const service = await accessibleService(services, args.context.get(sessionContext), serviceid)
  if (!service || !invoiceRenewals) throw data({ kind: "not-found" }, { status: 404 })
  const shown = ShownPrice.parse(form.get(shownField(serviceid, invoiceId)))
  return placeServiceOrder(args, {
    form,
    submission,
    key,
    gateway,
    law: "start",
    place: (buyer) =>
      renewByInvoice({ ...services, invoiceRenewals }, { ...buyer, key, gateway, service, invoiceId, shown }),
  })
}

/**
 * Places a renewal of some of the services that the visitor may renew and redirects to the gateway. Returns why the form is
 * refused.
 */
export async function placeRenewal(form: FormData, args: RouteArgs, allowed: readonly Service[]) {
  const submission = submitted(form, RenewalForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { serviceid, cycles, also, ...input } = submission.value
  const services = args.context.get(servicesContext)
  const wanted = [serviceid, ...also.filter((id) => id !== serviceid)]
  const renewed = wanted.flatMap((id, at) => {
    const service = allowed.find((it) => it.id === id)
    const count = at === 0 ? cycles : 1
    return service
      ? [{ service, cycles: count, shown: ShownPrice.parse(form.get(shownField(id, count))) }]
      : []
  })
  if (renewed.length !== wanted.length) throw data({ kind: "not-found" }, { status: 404 })
  return placeServiceOrder(args, {
    form,
    submission,
    key: input.key,
    gateway: input.gateway,
    law: "start",
    place: (buyer) => renewServices(services, { ...input, ...buyer, renewed }),
  })
}
