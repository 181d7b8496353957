import { data, type RouterContextProvider, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withOrder } from "~/context/session.server"
import { coinChosen } from "~/domain/coin"
import { RenewalForm, ShownPrice } from "~/domain/forms/renewal-form"
import { pathOf } from "~/domain/screen-paths"
import { shownField } from "~/domain/service-renewal-field"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, refusedAt, submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { screenHref } from "./screen-href.server"

type Args = { request: Request; context: Readonly<RouterContextProvider> }

/** Places a renewal and redirects to the gateway. Returns why the form is refused. */
export async function orderRenewal(form: FormData, { request, context }: Args) {
  const submission = submitted(form, RenewalForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { serviceid, cycles, also, ...input } = submission.value
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const inReach = await accessibleServices(services, session)
  const wanted = [serviceid, ...also.filter((id) => id !== serviceid)]
  const renewed = wanted.flatMap((id, at) => {
    const service = inReach.find((it) => it.id === id)
    const count = at === 0 ? cycles : 1
    return service
      ? [{ service, cycles: count, shown: ShownPrice.parse(form.get(shownField(id, count))) }]
      : []
  })
  if (renewed.length !== wanted.length) throw data({ kind: "not-found" }, { status: 404 })

  const tried = await limitOrders(services, {
    ...rateLimitSubject(context),
    email: session.choices.email,
    key: input.key,
  })
  if (!tried.ok) {
    const headers = retryAfter(tried.retryAfterSeconds)
    const lastResult = refused(submission, { formErrors: ["review.too-many"] })
    return data({ lastResult }, { status: 429, headers })
  }
  const { address } = context.get(requestContext)
  const placement = await renewServices(services, {
    ...input,
    renewed,
    customer: session.customer,
    orderId: session.orderId,
    locale: context.get(localeContext).code,
    address,
    country: await services.countryOf({ address, headers: request.headers }),
    browser: session.visitor,
  })
  if (placement.kind === "rejected") {
    return data({ lastResult: refusedAt(submission, placement) }, { status: 422 })
  }
  const { order } = placement
  context.set(sessionContext, withOrder(context.get(sessionContext), order))
  const method = {
    gateway: input.gateway,
    coin: coinChosen(form, input.gateway),
    visitor: session.visitor,
  }
  // An order from before is continued, perhaps with another payment method.
  const isSameGateway = order.gateway === input.gateway
  const opening = isSameGateway
    ? await openPayment(services, order, method)
    : await changeGateway(services, order.id, method)
  if (opening.kind === "opened") throw redirect(opening.url, 303)
  // Flagged as fraud, payment not created yet, or nothing to pay: the order's screen shows which.
  throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
}
