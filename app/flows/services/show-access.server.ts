import type { LoggedServices, Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import type { Money } from "~/domain/money/money"
import { createsService, type Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import { isDelayed, type TimelineEvent } from "~/domain/orders/timeline"
import { isStopped, type Service } from "~/domain/services/service"
import { orderVersion } from "~/flows/payments/get-order-progress.server"
import { belongsToCustomer } from "~/flows/payments/resume-order.server"
import { accessibleServices, currentOrder, type SessionIdentity } from "./accessible-services.server"

/** An unpaid order with its amount due. */
export type UnpaidOrder = Pick<Order, "id" | "kind"> & {
  readonly left: Money
  /** A part of it has arrived. */
  readonly isPartlyPaid: boolean
}

export function unpaidOrder(order: Order): UnpaidOrder {
  const { id, kind, received } = order
  return { id, kind, left: outstanding(order), isPartlyPaid: received.minor > 0 }
}

/** A service and its state. */
export type ServiceState = {
  /** The current order, if it is a paid order for this service. */
  readonly order: Order | null
  /**
   * The current order, if it is an unpaid order for this service, or for another plan of the reseller whose account it is. Of
   * `showAccess` and `showReseller` also one that another browser has placed: see `partlyPaidElsewhere`.
   */
  readonly unpaid: UnpaidOrder | null
  readonly service: Service
  /** The service is provisioned. */
  readonly ready: boolean
  /** Provisioning has failed so far and is being retried. */
  readonly delayed: boolean
  /** A paid change is in progress: the page polls. */
  readonly unsettled: boolean
  readonly timeline: readonly TimelineEvent[]
  readonly version: string
}

export type Access = ServiceState & {
  /** Accessible services. */
  readonly services: readonly Service[]
  /** Playlist URL for players; null until the service is provisioned. */
  readonly playlistAddress: string | null
}

type Looking = SessionIdentity & { readonly serviceId: string | null }

/** Data of the service page: the selected service, or the one just bought, or the newest. Null without one. */
export async function showAccess(services: LoggedServices, visitor: Looking): Promise<Access | null> {
  const accessible = await accessibleServices(services, visitor)
  const state = await serviceState(services, visitor, accessible)
  if (!state) return null
  const unpaid = state.unpaid ?? (await partlyPaidElsewhere(services, visitor, state.service))
  const address = playlistAddress(services, state.service)
  return { ...state, unpaid, services: accessible, playlistAddress: address }
}

/**
 * An order for a service of which the signed-in customer has paid a part, with any browser: a new one would not pay its rest. Null
 * without one.
 */
export async function partlyPaidElsewhere(
  { billing, now }: Pick<Services, "billing" | "now">,
  { customer }: Pick<Looking, "customer">,
  { id }: Service,
): Promise<UnpaidOrder | null> {
  if (customer === null) return null
  const order = await billing.partlyPaidOrderOf(id, now())
  return order && belongsToCustomer(order, customer) ? unpaidOrder(order) : null
}

/**
 * State of the selected service: see `showAccess`. Without a selection, a signed-in reseller sees the reseller account and not a
 * line created for a customer. Null without services.
 */
export async function serviceState(
  services: Pick<Services, "billing">,
  visitor: Looking,
  candidates: readonly Service[],
): Promise<ServiceState | null> {
  const current = await currentOrder(services, visitor)
  const named = (id: string | null | undefined) => candidates.find((it) => it.id === id)
  const account = visitor.customer && candidates.find(({ kind }) => kind === "reseller")
  const service = named(visitor.serviceId) ?? named(current?.serviceId) ?? account ?? candidates[0]
  if (!service) return null

  const { order } = paidOrNot(current?.serviceId === service.id ? current : null)
  const { unpaid } = paidOrNot(isAbout(service, current) ? current : null)
  const timeline = await services.billing.timeline(order?.id ?? service.orderId)
  const ready = service.status === "Active"
  return {
    order,
    unpaid,
    service,
    ready,
    timeline,
    delayed: !ready && isDelayed(timeline),
    unsettled: isUnsettled(service, order),
    version: `${service.status}.${order ? orderVersion(order.status, timeline.length) : timeline.length}`,
  }
}

/**
 * The service is being set up, or its paid order is being carried out. The order that sets it up is carried out once the service is
 * active, also if it was read a moment before.
 */
function isUnsettled(service: Service, order: Order | null): boolean {
  if (service.status !== "Active" && !isStopped(service)) return true
  return order !== null && order.status === "paid" && !createsService(order)
}

/** Whether an order is for a service, or for another plan of the same kind of account: the credits of both are the reseller's. */
function isAbout({ id, kind }: Service, current: Order | null): boolean {
  return current?.serviceId === id || (kind === "reseller" && current?.kind === "reseller")
}

/** The current order as paid or unpaid; neither for a cancelled or expired one. */
function paidOrNot(current: Order | null): Pick<ServiceState, "order" | "unpaid"> {
  if (!current) return { order: null, unpaid: null }
  const { status } = current
  return {
    order: paidStatuses.includes(status) ? current : null,
    unpaid: payableStatuses.includes(status) ? unpaidOrder(current) : null,
  }
}

/** Address of a service's playlist for players, with a key of its own; null until it is provisioned. */
export function playlistAddress(
  { provisioner, shop, signer }: Pick<Services, "provisioner" | "shop" | "signer">,
  service: Service,
): string | null {
  const { status, host, id, kind } = service
  if (status !== "Active" || host === null || kind !== "plan") return null
  const own = `${shop.publicUrl}${BASE}/success/playlist.m3u8?line=${id}&key=${signer.sign(keyText(service))}`
  return provisioner.playlistAddress({ ...service, host }) ?? own
}

/** Signed text of a playlist key: valid as long as the service's password. */
function keyText({ id, password }: Service): string {
  return `playlist ${id} ${password}`
}

/** The playlist of a provisioned service as a stream; null without one. Throws `ProvisioningError`. */
export async function playlistOf(
  { provisioner }: Pick<Services, "provisioner">,
  service: Service | null,
): Promise<AsyncIterable<Uint8Array> | null> {
  if (service?.status !== "Active" || service.host === null || service.kind !== "plan") return null
  return provisioner.playlist({ ...service, host: service.host })
}

/** The service of a playlist URL, which carries a key instead of a cookie. */
export async function serviceOfKey(
  { billing, signer }: Pick<Services, "billing" | "signer">,
  { line, key }: { line: string; key: string },
): Promise<Service | null> {
  const service = await billing.service(line)
  return service && signer.verify(keyText(service), key) ? service : null
}
