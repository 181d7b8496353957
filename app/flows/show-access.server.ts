import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import type { Services } from "~/services.server"
import { markOf } from "./watch-order.server"

export type Access = {
  readonly order: Order
  readonly service: Service
  /** The line works. */
  readonly ready: boolean
  /** Setting it up has failed so far and is being tried again. */
  readonly delayed: boolean
  readonly mark: string
}

/** What a buyer gets for his order: the service and how it stands. Null: no such order. */
export async function showAccess({ billing }: Services, orderId: string): Promise<Access | null> {
  const order = await billing.order(orderId)
  if (!order) return null
  const [service, timeline] = await Promise.all([billing.service(order.serviceId), billing.timeline(orderId)])
  if (!service) return null
  const delayed = timeline.some(({ kind }) => kind === "provisioning-delayed")
  return { order, service, ready: service.status === "Active", delayed, mark: markOf(order, timeline) }
}

/** The playlist of an order's working service; null while there is none. */
export async function showPlaylist(services: Services, orderId: string): Promise<string | null> {
  const access = await showAccess(services, orderId)
  if (access?.service.status !== "Active" || access.service.host === null) return null
  return services.provisioner.playlist({ ...access.service, host: access.service.host })
}
