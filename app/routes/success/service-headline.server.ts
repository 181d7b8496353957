import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { creditedInstead, type TimelineEvent } from "~/domain/orders/timeline"
import { topUpAsPaid } from "~/domain/orders/top-up"
import type { RenewedItem } from "~/domain/services/renewal"
import { isStopped, type Service } from "~/domain/services/service"
import type { Writing } from "../page-writing.server"
import { upgradePaidHeadline } from "../plan-change/upgrade-view.server"
import { invoicePaidHeadline } from "../renewal/invoice-view.server"

/** `heading`: null where the page's own says it. `namesEnd`: it says until when the service is paid now. */
export type Headline = {
  readonly heading: string | null
  readonly notes: readonly string[]
  readonly namesEnd?: boolean
}

type About = {
  readonly service: Service
  /** The order just paid; null: none. */
  readonly order: Order | null
  /** Of that order. */
  readonly timeline: readonly TimelineEvent[]
  /** What it has renewed. */
  readonly items: readonly RenewedItem[]
  /** See `knownUsernames`. */
  readonly known: readonly (string | null)[]
  readonly canRenew: boolean
  readonly hasSupport: boolean
}

/** Heading and notes of the service page for a stopped service, and after a payment; null: the usual ones. */
export async function serviceHeadline(
  services: LoggedServices,
  about: About,
  writing: Writing,
): Promise<Headline | null> {
  return (await paidHeadline(services, about, writing)) ?? headlineOf(about, writing)
}

/** What the order just paid has led to, of the kinds that say so themselves. */
async function paidHeadline(
  services: LoggedServices,
  { service, order, items, hasSupport }: About,
  writing: Writing,
): Promise<Headline | null> {
  if (order?.kind === "topup") return topUpHeadline(services, order, writing)
  if (order?.kind === "plan-change" && services.planUpgrades)
    return upgradePaidHeadline(services, order, writing)
  if (order?.kind !== "renewal" || !services.invoiceRenewals) return null
  return invoicePaidHeadline(services, { service, order, items, hasSupport }, writing)
}

/** What a top-up has added, and the account credit that there is now. */
async function topUpHeadline(
  { billing, payments }: Pick<LoggedServices, "billing" | "payments">,
  order: Order,
  { t, money }: Writing,
): Promise<Headline> {
  const { total } = topUpAsPaid(order, await billing.timeline(order.id))
  const credit = await payments.accountCredit(order.customerId, total.currency)
  return {
    heading: t("topUp.done", { amount: money(total) }),
    notes: [t("topUp.now", { credit: money(credit) })],
  }
}

function headlineOf(about: About, writing: Writing): Headline | null {
  if (isStopped(about.service)) return stoppedHeadline(about, writing)
  return renewedHeadline(about, writing) ?? creditedHeadline(about, writing)
}

/** Whatever was paid before, it does not work: its status says so. */
function stoppedHeadline({ canRenew, hasSupport }: About, { t }: Writing): Headline {
  return { heading: null, notes: canRenew || !hasSupport ? [] : [t("renewal.stopped")] }
}

function renewedHeadline(
  { service: { id, paidUntil }, items, known }: About,
  { t, day, named }: Writing,
): Headline | null {
  const own = items.find(({ serviceId }) => serviceId === id)?.until
  if (!own) return null
  const until = items.flatMap(({ serviceId, name, until }, at) =>
    serviceId === id || until === null
      ? []
      : [t("renewal.each", { plan: named(name, known[at] ?? null), date: day(until) })],
  )
  // Spanish and Portuguese dates are longer than a phone's line of the heading, which would break them within the year.
  const date = day(own).replaceAll("\u00a0", " ")
  return {
    heading: t("renewal.renewed", { date }),
    notes: [t("renewal.sameDetails"), ...until],
    namesEnd: own === paidUntil,
  }
}

/** The order no longer fitted the service when it was paid: nothing has changed but the account credit. */
function creditedHeadline({ order, timeline }: About, { t, money }: Writing): Headline | null {
  const credited = order && creditedInstead(timeline)
  return credited && { heading: t("topUp.done", { amount: money(credited) }), notes: [t("place.credited")] }
}
