import { BillingError } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { createsService, type Order } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import type { Service } from "~/domain/services/service"

/** Whom a session stands for: its current order, the services that it has bought, and the customer that it is signed in as. */
export type SessionIdentity = {
  readonly orderId: string | null
  readonly serviceIds: readonly string[]
  readonly customer: AuthenticatedCustomer | null
}

/** Services that a session may see and change: those it bought, and those of the account (specification, Identity). */
export async function accessibleServices(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
): Promise<readonly Service[]> {
  const { billing } = services
  const [own, customers] = await Promise.all([
    Promise.all(visitor.serviceIds.map((id) => boughtService(services, id))),
    visitor.customer ? billing.servicesOf(visitor.customer) : [],
  ])
  const all = [...own.filter((it) => it !== null), ...customers]
  // By their ids, since a reseller has thousands of lines.
  return [...new Map(all.map((it) => [it.id, it])).values()]
}

/** One accessible service; null alike for a missing service and for another customer's. */
export async function accessibleService(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
  id: string,
): Promise<Service | null> {
  const accessible = await accessibleServices(services, visitor)
  return accessible.find((service) => service.id === id) ?? null
}

/**
 * Whether an order pays for a service that the visitor has no access to: they have the link of a renewal or of a payment, and pay for
 * somebody else.
 */
export async function isForAnother(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
  order: Pick<Order, "kind" | "serviceId">,
): Promise<boolean> {
  return !createsService(order) && (await accessibleService(services, visitor, order.serviceId)) === null
}

/**
 * Whether the page header links to the visitor's services: the session has bought one, or the signed-in customer has one.
 * The account is read only if the session has none. A failing look-up counts as no service.
 */
export async function ownsService(
  services: Pick<LoggedServices, "billing" | "log">,
  visitor: SessionIdentity,
): Promise<boolean> {
  try {
    const own = await Promise.all(visitor.serviceIds.map((id) => boughtService(services, id)))
    if (own.some((it) => it !== null)) return true
    return visitor.customer !== null && (await services.billing.servicesOf(visitor.customer)).length > 0
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    services.log.warn({ kind: error.kind, reason: error.message }, "services of the session unavailable")
    return false
  }
}

/** The session's current order, if any. */
export async function currentOrder(
  { billing }: Pick<Services, "billing">,
  { orderId }: SessionIdentity,
): Promise<Order | null> {
  return orderId ? billing.order(orderId) : null
}

/** A paid service; one that has only been ordered is not accessible. */
async function boughtService({ billing }: Pick<Services, "billing">, id: string): Promise<Service | null> {
  const service = await billing.service(id)
  if (!service) return null
  if (service.status === "Active") return service
  const order = await billing.order(service.orderId)
  return order && paidStatuses.includes(order.status) ? service : null
}
