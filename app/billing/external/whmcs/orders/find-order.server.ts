import type { ExternalOrder, PlacedExternally } from "~/billing/external/external-orders"
import { DAY, type Instant } from "~/domain/calendar"
import type { Whmcs } from "../context.server"
import { usernamesOf } from "../services/service-credentials.server"
import { servicesAt } from "../services/services.server"
import { noteOf } from "./order-mark"
import type { WhmcsOrder } from "./order-schema"
import { clientsOrder, ordersOf } from "./orders.server"
import { completeOrder, type Made } from "./place-order.server"

/** Tolerance for a clock difference and for a wrong `WHMCS_TIME_ZONE`. */
const LEEWAY = DAY

/**
 * Finds the WHMCS order of an earlier `placeOrder` whose response was lost, and completes it. Matches the order id in
 * the order's notes, or, if WHMCS drops the notes, the generated username of the service. Null if not found.
 * Idempotent; throws like `completeOrder`.
 */
export async function findOrder(whmcs: Whmcs, order: ExternalOrder): Promise<PlacedExternally | null> {
  const made = (await byNotes(whmcs, order)) ?? (await byAccess(whmcs, order))
  return made && completeOrder(whmcs, order, made)
}

async function byNotes(whmcs: Whmcs, order: ExternalOrder): Promise<Made | null> {
  const orders = await ordersOf(whmcs, order.customerId)
  const mine = orders.find((it) => it.notes.includes(noteOf(order)) && isSince(whmcs, it, order.at))
  if (!mine) return null
  const serviceId = serviceIn(mine) ?? (await serviceOfOrder(whmcs, order.customerId, mine.id))
  return serviceId === null ? null : { orderId: mine.id, invoiceId: mine.invoiceid, serviceId }
}

function serviceIn({ lineitems }: WhmcsOrder): string | null {
  return lineitems.find(({ type }) => type.toLowerCase() === "product")?.relid ?? null
}

async function serviceOfOrder(whmcs: Whmcs, customerId: string, orderId: string): Promise<string | null> {
  const services = await servicesAt(whmcs, customerId)
  return services.find(({ orderid }) => orderid === orderId)?.id ?? null
}

async function byAccess(whmcs: Whmcs, { customerId, credentials, at }: ExternalOrder): Promise<Made | null> {
  const services = await servicesAt(whmcs, customerId)
  const mine = services.find((it) => usernamesOf(whmcs, it).includes(credentials.username))
  if (!mine?.orderid) return null
  const order = await clientsOrder(whmcs, { orderId: mine.orderid, customerId })
  if (!order || !isSince(whmcs, order, at)) return null
  return { orderId: order.id, invoiceId: order.invoiceid, serviceId: mine.id }
}

/** An order without a readable date counts as recent. */
export function isSince({ clock }: Whmcs, { date }: WhmcsOrder, at: Instant, leeway = LEEWAY): boolean {
  const made = clock.instantOf(date)
  return made === null || made >= at - leeway
}
