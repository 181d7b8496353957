import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Order } from "~/domain/orders/order"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import { ownResellerAccount } from "~/flows/resellers/show-reseller.server"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { writingOf } from "../page-writing.server"
import { planChangeNotes } from "../plan-change/plan-view.server"
import { knownUsernames } from "../services/known-usernames.server"

/** An unpaid order on the waiting page: its lines, and the services that it changes if it is paid now. */
export type OrderedView = {
  readonly lines: Order["lines"]
  /** What a renewal leads to. */
  readonly notes: readonly string[]
  /** The service that extra connections or credits are for, or that a reseller plan opens beside another one; empty for other orders. */
  readonly about: readonly string[]
}

/** Loads the lines of an unpaid order, and services by names that tell the visitor's apart. */
export async function orderedView(context: RouteContext, order: Order): Promise<OrderedView> {
  if (order.kind === "renewal") return renewalsOrdered(context, order)
  if (order.kind === "plan-change") {
    const notes = await planChangeNotes(context, context.get(servicesContext), order)
    return { lines: writingOf(context).lines(order.lines), notes, about: [] }
  }
  const about = await aboutService(context, order)
  return { lines: order.lines, notes: [], about }
}

async function aboutService(context: RouteContext, order: Order): Promise<readonly string[]> {
  if (order.kind === "upsell") return extendedService(context, order)
  if (order.kind === "reseller") return anotherAccount(context)
  return order.kind === "reseller-credits" ? accountOfCredits(context, order) : []
}

/** That a plan opens another account, to who has one: see `orderIfPaid`. */
async function anotherAccount(context: RouteContext): Promise<readonly string[]> {
  const { isOpen } = await ownResellerAccount(context.get(servicesContext), context.get(sessionContext))
  return isOpen ? [writingOf(context).t("lines.opensAccount")] : []
}

/** The account at the panel that credits are for, to who may see it. */
async function accountOfCredits(context: RouteContext, { serviceId }: Order): Promise<readonly string[]> {
  const accessible = await accessibleServices(context.get(servicesContext), context.get(sessionContext))
  const account = accessible.find(({ id }) => id === serviceId)
  return account ? [writingOf(context).t("buying.forAccount", { name: account.username })] : []
}

async function extendedService(context: RouteContext, { serviceId }: Order): Promise<readonly string[]> {
  const services = context.get(servicesContext)
  const { t, named } = writingOf(context)
  const [service, accessible] = await Promise.all([
    services.billing.service(serviceId),
    accessibleServices(services, context.get(sessionContext)),
  ])
  if (!service) return []
  const isKnown = accessible.some(({ id }) => id === serviceId)
  return [t("buying.forService", { service: named(service.name, isKnown ? service.username : null) })]
}

async function renewalsOrdered(context: RouteContext, order: Order): Promise<OrderedView> {
  const services = context.get(servicesContext)
  const { billing } = services
  const { t, day, named, lines } = writingOf(context)
  const items = await billing.renewalItems(order.id)
  const known = knownUsernames(items, await accessibleServices(services, context.get(sessionContext)))
  const found = await Promise.all(items.map(({ serviceId }) => billing.service(serviceId)))
  const candidates = found.filter((it) => it !== null)
  const priced = await priceRenewals(services, services.catalogue, { candidates })
  if (services.invoiceRenewals) {
    const renewed = items.map(({ name }, at) =>
      t("invoice.waiting", { plan: named(name, known[at] ?? null) }),
    )
    return { lines: lines(order.lines, known), notes: renewed, about: [] }
  }
  const notes = items.flatMap(({ serviceId, cycles, name }, at) => {
    const choices = priced.find(({ service }) => service.id === serviceId)?.choices ?? []
    const until = choices.find((it) => it.cycles === cycles)?.until
    return until === undefined
      ? []
      : [t("renewal.waiting", { plan: named(name, known[at] ?? null), date: day(until) })]
  })
  return { lines: lines(order.lines, known), notes, about: [] }
}
