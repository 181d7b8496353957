import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Order } from "~/domain/orders/order"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { UsableCredit } from "~/domain/payments/usable-credit"
import type { NextPlan } from "~/domain/services/plan-change"
import { isEndNear, type RenewedItem } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import type { UnpaidOrder } from "~/flows/services/show-access.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import type { RenewalView } from "~/ui/renewal/renewal-panel"
import { lawOfVisitor } from "../order/law-view.server"
import { writingOf } from "../page-writing.server"
import { invoicePart } from "../renewal/invoice-view.server"
import { renewableIn } from "../renewal/renewable-services.server"
import { type LastTermView, lastTermView, renewalView } from "../renewal/renewal-view.server"
import { knownUsernames } from "../services/known-usernames.server"
import { type Headline, serviceHeadline } from "./service-headline.server"

/** What the service page says about renewals. */
export type RenewalPart = {
  /** Null: the service cannot be renewed here. */
  readonly renewal: RenewalView | null
  /** What the law of the visitor's country adds to the forms that order. */
  readonly law: LawShown
  /** Null: it may be renewed, or nothing is to be said. */
  readonly lastTerm: LastTermView | null
  /** The plan that the service gets with its next term; null: it keeps its own. */
  readonly next: NextPlan | null
  /** The end is near or over: the renewal comes first on the page. */
  readonly isDue: boolean
  /** The shortest renewal of each service that can be renewed, by service id. */
  readonly renewable: Readonly<Record<string, string>>
  /** Heading and notes of the page for a stopped service, and after a renewal; null: the usual ones. */
  readonly headline: Headline | null
}

type Shown = {
  readonly service: Service
  readonly services: readonly Service[]
  /** The order just paid. */
  readonly order: Order | null
  /** An unpaid order for the service. */
  readonly unpaid: UnpaidOrder | null
  /** Of that order; without one, of the order that created the service. */
  readonly timeline: readonly TimelineEvent[]
  /** Of the request. */
  readonly headers: Headers
  /** What an order would use. */
  readonly credit: UsableCredit | undefined
}

/** Loads the renewal part of the service page. */
export async function renewalPart(
  context: RouteContext,
  { service, services: all, order, unpaid, timeline, headers, credit }: Shown,
  query: URLSearchParams,
): Promise<RenewalPart> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const law = await lawOfVisitor(context, headers)
  const { priced, chosen, others, next, isDue } = await renewalsOf(services, service, all)
  const { customer } = context.get(sessionContext)
  const around = { writing, query, unpaid, law, credit }
  const renewal = chosen && (await renewalView(services, { ...around, chosen, others, customer, isDue }))
  const invoiced = await invoicePart(context, { ...around, service })
  const items = await renewedBy(services, order)
  const lastTerm = chosen ? null : await lastTermView(context, service, writing)
  const shown = renewal ?? invoiced.renewal
  return {
    renewal: shown,
    law,
    lastTerm,
    next,
    isDue: isDue || invoiced.renewal !== null,
    renewable: { ...invoiced.renewable, ...renewableIn(priced, writing) },
    headline: await serviceHeadline(
      services,
      {
        service,
        order,
        timeline,
        items,
        known: knownUsernames(items, all),
        canRenew: (shown ?? lastTerm) !== null,
        hasSupport: services.shop.links.support !== null,
      },
      writing,
    ),
  }
}

/** The renewals of a service, and of the customer's others in its currency: one order has one. */
async function renewalsOf(services: LoggedServices, service: Service, all: readonly Service[]) {
  const own = all.filter(
    ({ customerId, currency }) => customerId === service.customerId && currency === service.currency,
  )
  const priced = await priceRenewals(services, services.catalogue, { candidates: own })
  const chosen = priced.find((it) => it.service.id === service.id) ?? null
  return {
    priced,
    chosen,
    others: priced.filter((it) => it.service.id !== service.id && it.choices.length > 0),
    next: chosen?.next ?? null,
    isDue: chosen !== null && isEndNear(chosen.service, services.now()),
  }
}

async function renewedBy(
  { billing }: Pick<LoggedServices, "billing">,
  order: Order | null,
): Promise<readonly RenewedItem[]> {
  return order?.kind === "renewal" ? billing.renewalItems(order.id) : []
}
