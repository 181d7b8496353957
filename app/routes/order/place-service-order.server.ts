import { data, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, withOrder } from "~/context/session.server"
import type { BuyerPlace, Country } from "~/domain/customers/country"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import type { SaleTerms } from "~/domain/orders/sale-terms"
import { pathOf } from "~/domain/orders/screen-paths"
import { coinChosen } from "~/domain/payments/coin"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { RefusedForm } from "~/domain/refused-form"
import { saleTermsOf } from "~/domain/shop/country-law"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, refusedAt } from "~/http/submitted-form.server"
import { buyerPlaceOf } from "~/middleware/pricing/buyer-place.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import { screenHref } from "../screen-href.server"
import { askIfMore } from "./credit-view.server"
import { lawIn, undeclaredIn } from "./law-view.server"

export type RouteArgs = { request: Request; context: RouteContext }

/** What the request tells of the person who orders. */
type ServiceBuyer = {
  /** The signed-in customer, if any. */
  readonly customer: AuthenticatedCustomer | null
  /** Id of the session's current order. */
  readonly orderId: string | null
  readonly locale: LocaleCode
  readonly address: string | null
  readonly country: Country
  readonly buyer: BuyerPlace | undefined
  /** Browser id; null without one. */
  readonly browser: string | null
  /** What applies to the sale by the buyer's country; null: nothing. */
  readonly saleTerms: SaleTerms | null
}

type Placement =
  | { readonly kind: "placed"; readonly order: Order }
  | { readonly kind: "rejected"; readonly field: string; readonly reason: string }

type ServiceOrder = {
  readonly form: FormData
  /** The checked form, to answer a refusal with what was typed. */
  readonly submission: Parameters<typeof refused>[0]
  /** Idempotency key of the form. */
  readonly key: string
  readonly gateway: GatewayId
  /**
   * Whether the law of the buyer's country applies: to a `sale` its days of withdrawal, to a `start` also the declarations, as
   * it begins at once; to `resellers` nothing.
   */
  readonly law: "start" | "sale" | "resellers"
  /** Places the order. Idempotent by `key`. */
  readonly place: (buyer: ServiceBuyer) => Promise<Placement>
}

const noWords: LawShown = { orderButton: null, declarations: null }

/**
 * Orders something for services that exist: limits the attempts, places the order, keeps it in the session, opens its
 * payment and redirects there. Returns why the form is refused: 400 without the declarations that the law asks for, 429 above
 * the limit, 422 if the flow rejects it.
 */
export async function placeServiceOrder({ request, context }: RouteArgs, ordered: ServiceOrder) {
  const { form, submission, key, gateway } = ordered
  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const { country, buyer } = await buyerPlaceOf(context, request.headers)
  const words = ordered.law === "start" ? lawIn(context, country) : noWords
  const undeclared = undeclaredIn(form, words)
  if (Object.keys(undeclared).length > 0) {
    const lastResult = refused(submission, { fieldErrors: undeclared })
    return data<{ lastResult: RefusedForm }>({ lastResult }, { status: 400 })
  }
  const { email } = context.get(sessionContext).choices
  const tried = await limitOrders(services, { ...rateLimitSubject(context), email, key })
  if (!tried.ok) {
    const headers = retryAfter(tried.retryAfterSeconds)
    const lastResult = refused(submission, { formErrors: ["review.too-many"] })
    return data<{ lastResult: RefusedForm }>({ lastResult }, { status: 429, headers })
  }
  // Read after the limit, which gives a new browser its id.
  const { customer, orderId, visitor } = context.get(sessionContext)
  const declarations = words.declarations && { at: services.now(), ...words.declarations }
  const placement = await ordered.place({
    customer,
    orderId,
    locale: context.get(localeContext).code,
    address,
    country,
    buyer,
    browser: visitor,
    saleTerms:
      ordered.law === "resellers" ? null : saleTermsOf(services.shop.legal.law, country, declarations),
  })
  if (placement.kind === "rejected") {
    return data<{ lastResult: RefusedForm }>(
      { lastResult: refusedAt(submission, placement) },
      { status: 422 },
    )
  }
  const { order } = placement
  context.set(sessionContext, withOrder(context.get(sessionContext), order))
  askIfMore(context, order, form)
  const method = { gateway, coin: coinChosen(form, gateway), visitor }
  // The same form sent again continues its order, perhaps with another payment method.
  const opening =
    order.gateway === gateway
      ? await openPayment(services, order, method)
      : await changeGateway(services, order.id, method)
  if (opening.kind === "opened") throw redirect(opening.url, 303)
  // Flagged as fraud, payment not created yet, or nothing to pay: the order's screen shows which.
  throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
}
