import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { maskedEmail } from "~/domain/customers/email"
import type { Order } from "~/domain/orders/order"
import type { Service } from "~/domain/services/service"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import type { UnpaidOrder } from "~/flows/services/show-access.server"
import type { RenewalView } from "~/ui/renewal/renewal-panel"
import { cancelledText } from "../order/cancelled-order.server"
import { creditView } from "../order/credit-view.server"
import { lawOfVisitor } from "../order/law-view.server"
import { type Writing, writingOf } from "../page-writing.server"
import { type LastTermView, lastTermView, renewalView } from "./renewal-view.server"

/** The renewal of one service for a visitor of its link, who may know nothing else of it. */
export type LinkedRenewal = {
  /** What is said of the order that was cancelled; null: nothing. */
  readonly cancelled: string | null
  readonly heading: string
  readonly notes: readonly string[]
  /** Null: it cannot be renewed at the moment. */
  readonly renewal: RenewalView | null
  readonly lastTerm: LastTermView | null
  readonly signIn: { readonly text: string; readonly action: string }
}

/** `unpaid`: the visitor's own unpaid renewal of the service. */
type Visit = {
  readonly unpaid: UnpaidOrder | null
  readonly query: URLSearchParams
  readonly headers: Headers
}

/** Loads the page of a renewal link. */
export async function linkedRenewal(
  context: RouteContext,
  service: Service,
  { unpaid, query, headers }: Visit,
): Promise<LinkedRenewal> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const { t, plan } = writing
  const [chosen] = await priceRenewals(services, services.catalogue, { candidates: [service] })
  const email = (await services.billing.order(service.orderId))?.email ?? ""
  const law = await lawOfVisitor(context, headers)
  const credit = await creditView(context, service)
  const part = { others: [], writing, query, customer: null, isDue: true, unpaid, law, credit }
  const renewal = chosen && (await renewalView(services, { ...part, chosen }))
  const lastTerm = chosen ? null : await lastTermView(context, service, writing)
  const gone = renewal || lastTerm ? [] : [t("renewal.gone")]
  return {
    lastTerm,
    cancelled: await cancelledText(context, query),
    heading: t("link.heading", { plan: plan(service.name) }),
    notes: [t("link.for", { email: maskedEmail(email) }), ...gone],
    // What the link does not allow: to change the price, to renew no more.
    renewal: renewal ? { ...renewal, lower: null, decline: null } : null,
    signIn: signInOf(writing),
  }
}

function signInOf({ t }: Writing): LinkedRenewal["signIn"] {
  return { text: t("link.signIn"), action: t("link.signInAction") }
}

/** What a renewal that was paid by its link has led to. */
export async function renewedByLinkView(
  context: RouteContext,
  order: Order,
): Promise<Omit<LinkedRenewal, "renewal" | "lastTerm" | "cancelled">> {
  const writing = writingOf(context)
  const { t, day, plan } = writing
  const items = await context.get(servicesContext).billing.renewalItems(order.id)
  const untils = items.flatMap(({ name, until }) =>
    until === null ? [] : [t("renewal.each", { plan: plan(name), date: day(until) })],
  )
  // What was paid for a service that it no longer fitted is its customer's account credit.
  const notes = untils.length > 0 ? [...untils, t("renewal.sameDetails")] : [t("place.credited")]
  return { heading: t("link.paid"), notes, signIn: signInOf(writing) }
}
