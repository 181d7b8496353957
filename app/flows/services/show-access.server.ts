import type { Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { paidStatuses, payableStatuses } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import { outstanding } from "~/domain/settlement"
import { isDelayed, type TimelineEvent } from "~/domain/timeline"
import { orderVersion } from "~/flows/payments/get-order-progress.server"
import { accessibleServices, currentOrder, type Visitor } from "./accessible-services.server"

/** An order that waits for money, and how much. */
export type UnpaidOrder = Pick<Order, "id" | "kind"> & { readonly left: Money }

/** A service, and how it stands. */
export type ServiceState = {
  /** The current order, when it is for the service shown and has been paid. */
  readonly order: Order | null
  /** The current order, when it adds to the service shown and waits for money. */
  readonly unpaid: UnpaidOrder | null
  readonly service: Service
  /** The line works. */
  readonly ready: boolean
  /** Setting it up has failed so far and is being tried again. */
  readonly delayed: boolean
  /** Something paid for is still being carried out: worth looking again. */
  readonly unsettled: boolean
  readonly timeline: readonly TimelineEvent[]
  readonly version: string
}

export type Access = ServiceState & {
  /** Every service the visitor may look at. */
  readonly services: readonly Service[]
  /** Where a player fetches the channel list; null until the line works. */
  readonly playlistAddress: string | null
}

type Looking = Visitor & { readonly serviceId: string | null }

/** What a visitor has: the service he has chosen, or the one he has just bought, or his newest. Null: none. */
export async function showAccess(services: Services, visitor: Looking): Promise<Access | null> {
  const inReach = await accessibleServices(services, visitor)
  const standing = await serviceState(services, visitor, inReach)
  if (!standing) return null
  return { ...standing, services: inReach, playlistAddress: playlistAddress(services, standing.service) }
}

/** How the one of some services stands that a visitor means: see `showAccess`. Null: there are none. */
export async function serviceState(
  services: Services,
  visitor: Looking,
  candidates: readonly Service[],
): Promise<ServiceState | null> {
  const hand = await currentOrder(services, visitor)
  const named = (id: string | null | undefined) => candidates.find((it) => it.id === id)
  const service = named(visitor.serviceId) ?? named(hand?.serviceId) ?? candidates[0]
  if (!service) return null

  const { order, unpaid } = paidOrNot(hand?.serviceId === service.id ? hand : null)
  const timeline = await services.billing.timeline(order?.id ?? service.orderId)
  const ready = service.status === "Active"
  return {
    ...{ order, unpaid, service, ready, timeline },
    delayed: !ready && isDelayed(timeline),
    unsettled: !ready || order?.status === "paid",
    version: `${service.status}.${order ? orderVersion(order, timeline) : timeline.length}`,
  }
}

/** What has been paid is spoken of as paid; what has come to nothing not at all. */
function paidOrNot(current: Order | null): Pick<ServiceState, "order" | "unpaid"> {
  if (!current) return { order: null, unpaid: null }
  const { id, kind, status } = current
  return {
    order: paidStatuses.includes(status) ? current : null,
    unpaid: payableStatuses.includes(status) ? { id, kind, left: outstanding(current) } : null,
  }
}

function playlistAddress({ provisioner, shop, signer }: Services, service: Service): string | null {
  const { status, host, id, kind } = service
  if (status !== "Active" || host === null || kind !== "plan") return null
  const own = `${shop.publicUrl}${BASE}/success/playlist.m3u8?line=${id}&key=${signer.sign(keyText(service))}`
  return provisioner.playlistAddress({ ...service, host }) ?? own
}

/** The key to a playlist holds as long as the line's password does. */
function keyText({ id, password }: Service): string {
  return `playlist ${id} ${password}`
}

/** The playlist of a working service as text; null while there is none. Throws a `ProvisioningError`. */
export async function playlistOf({ provisioner }: Services, service: Service | null): Promise<string | null> {
  if (service?.status !== "Active" || service.host === null || service.kind !== "plan") return null
  return provisioner.playlist({ ...service, host: service.host })
}

/** The service whose playlist a player asks for by its address: it has no cookie, but the key. */
export async function serviceOfKey(
  { billing, signer }: Services,
  { line, key }: { line: string; key: string },
): Promise<Service | null> {
  const service = await billing.service(line)
  return service && signer.isOurs(keyText(service), key) ? service : null
}
