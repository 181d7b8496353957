import { data, type RouterContextProvider, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withOrder } from "~/context/session.server"
import { coinChosen } from "~/domain/coin"
import { ShownUnit, UpsellForm } from "~/domain/forms/upsell-form"
import { pathOf } from "~/domain/screen-paths"
import { unitField } from "~/domain/upsell"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, refusedAt, submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { screenHref } from "./screen-href.server"

type Args = { request: Request; context: Readonly<RouterContextProvider> }

/** Places an upsell order and redirects to the gateway. Returns why the form is refused. */
export async function orderUpsell(form: FormData, { request, context }: Args) {
  const submission = submitted(form, UpsellForm)
  if (submission.status !== "success") return data({ lastResult: refused(submission) }, { status: 400 })
  const { serviceid, ...input } = submission.value
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const service = await accessibleService(services, session, serviceid)
  if (!service) throw data({ kind: "not-found" }, { status: 404 })

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
  const placement = await buyUpsell(services, {
    ...input,
    service,
    customer: session.customer,
    orderId: session.orderId,
    shownUnit: ShownUnit.parse(form.get(unitField(serviceid))),
    locale: context.get(localeContext).code,
    address,
    country: await services.countryOf({ address, headers: request.headers }),
    browser: context.get(sessionContext).visitor,
  })
  if (placement.kind === "rejected") {
    return data({ lastResult: refusedAt(submission, placement) }, { status: 422 })
  }
  const { order } = placement
  context.set(sessionContext, withOrder(context.get(sessionContext), order))
  const opening = await openPayment(services, order, {
    gateway: order.gateway,
    coin: coinChosen(form, order.gateway),
    visitor: session.visitor,
  })
  if (opening.kind === "opened") throw redirect(opening.url, 303)
  // Flagged as fraud, payment not created yet, or nothing to pay: the order's screen shows which.
  throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
}
