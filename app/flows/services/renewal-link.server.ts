import type { LoggedServices, Services } from "~/context/services.server"
import { DAY } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import { renewalLinkPath, servicePath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { isRenewalToken, renewalToken, serviceIdOfToken } from "~/security/renewal-token.server"
import { currentOrder, isForAnother, type SessionIdentity } from "./accessible-services.server"
import { type UnpaidOrder, unpaidOrder } from "./show-access.server"

type Signing = Pick<LoggedServices, "billing" | "dunning" | "signer" | "shop">

/**
 * Path at which anybody can pay for the next term of a service without signing in: until its termination and as long again as
 * its grace, and for its present term. Null: the service has no end, or the shop keeps no terms.
 */
export async function renewalLink(
  { billing, dunning, signer, shop }: Signing,
  serviceId: string,
): Promise<string | null> {
  const [service, end] = await Promise.all([billing.service(serviceId), dunning?.endOf(serviceId)])
  if (!service?.term || !end || shop.terms === null) return null
  const expiresAt = end.termination + shop.terms.graceDays * DAY
  const { term, cycle } = service
  return renewalLinkPath(renewalToken(signer, { serviceId, term, cycle }, expiresAt))
}

/** The service whose renewal a token opens; null if the token is forged, too old, or used by a renewal. */
export async function serviceOfRenewalLink(
  { billing, signer, now }: Pick<Services, "billing" | "signer" | "now">,
  token: string,
): Promise<Service | null> {
  const serviceId = serviceIdOfToken(token)
  const service = await billing.service(serviceId)
  if (!service?.term) return null
  const { term, cycle } = service
  return isRenewalToken(signer, token, { serviceId, term, cycle, at: now() }) ? service : null
}

/** Path of the service that a token names on its customer's own page; whether it is theirs is checked there. */
export function ownPathOfRenewalLink(token: string): string {
  return servicePath(encodeURIComponent(serviceIdOfToken(token)))
}

/** Whether an order renews a service that the visitor has no access to: it was placed by a renewal link. */
export async function isByRenewalLink(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
  order: Pick<Order, "kind" | "serviceId">,
): Promise<boolean> {
  return order.kind === "renewal" && isForAnother(services, visitor, order)
}

/** The visitor's current order if it is a paid one that was placed by a renewal link. */
export async function renewedByLink(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
): Promise<Order | null> {
  const order = await currentOrder(services, visitor)
  if (!order || !paidStatuses.includes(order.status)) return null
  return (await isByRenewalLink(services, visitor, order)) ? order : null
}

/** The visitor's current order if it is an unpaid renewal of the service of a link, with what is left to pay; null for anybody else. */
export async function unpaidByLink(
  services: Pick<Services, "billing">,
  visitor: SessionIdentity,
  { id: serviceId }: Service,
): Promise<UnpaidOrder | null> {
  const order = await currentOrder(services, visitor)
  if (order?.kind !== "renewal" || order.serviceId !== serviceId) return null
  if (!payableStatuses.includes(order.status)) return null
  return unpaidOrder(order)
}
