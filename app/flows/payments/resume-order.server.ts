import type { Services } from "~/context/services.server"
import { type AuthenticatedCustomer, covers } from "~/domain/customer"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/order"

export type WayBack =
  /** To an order that was made in another browser: whoever follows it has to say that it is his. */
  | { readonly kind: "another's"; readonly order: Order }
  /** To an order of this browser's that is not the one in hand. */
  | { readonly kind: "own"; readonly order: Order }
  /** Another browser has come back by it before. */
  | { readonly kind: "used" }
  /** Not ours, too old, or of the order that is in hand anyway: nothing changes. */
  | { readonly kind: "nothing" }

export type Resumed =
  /** `proven`: only because of who has proven himself, and not as the first who came back. */
  | { readonly kind: "resumed"; readonly order: Order; readonly authenticated: boolean }
  | { readonly kind: "used" | "nothing" }

type Holder = {
  orderId: string | null
  serviceIds: readonly string[]
  customer: AuthenticatedCustomer | null
}

/** The token that leads back to an order: an attempt's name, which nobody can guess, and our signature. */
export function resumeToken({ signer }: Services, attemptId: string): string {
  return `${attemptId}.${signer.sign(`resume ${attemptId}`)}`
}

/**
 * Where a token leads the browser that has followed it. Only the browser that has made the order uses the token up by
 * that; in any other nothing changes.
 */
export async function followWayBack(services: Services, token: string, holder: Holder): Promise<WayBack> {
  const found = await orderOf(services, token)
  if (!found) return { kind: "nothing" }
  const { order, attemptId, used } = found
  const isOwn = order.id === holder.orderId || isMadeHere(order, holder)
  if (isOwn) await services.payments.redeemReturnToken(attemptId, services.now())
  if (order.id === holder.orderId) return { kind: "nothing" }
  if (isOwn) return { kind: "own", order }
  return used && !isHis(order, holder.customer) ? { kind: "used" } : { kind: "another's", order }
}

/** Exchanges a token for its order: for the first browser that brings it, and for the customer himself. */
export async function resumeOrder(services: Services, token: string, holder: Holder): Promise<Resumed> {
  const found = await orderOf(services, token)
  if (!found || found.order.id === holder.orderId) return { kind: "nothing" }
  const { order, attemptId } = found
  const redeemed = await services.payments.redeemReturnToken(attemptId, services.now())
  if (redeemed?.first || isMadeHere(order, holder)) return { kind: "resumed", order, authenticated: false }
  return isHis(order, holder.customer) ? { kind: "resumed", order, authenticated: true } : { kind: "used" }
}

async function orderOf({ payments, billing, signer, now }: Services, token: string) {
  const [attemptId = "", signature = ""] = token.split(".")
  if (!signer.isOurs(`resume ${attemptId}`, signature)) return null
  const found = await payments.returnOf(attemptId)
  const order = found && (await billing.order(found.orderId))
  return order && now() <= order.deadline + LATE_PAYMENT_GRACE ? { order, attemptId, used: found.used } : null
}

/** More for a service is not made by whoever has that. */
function isMadeHere({ kind, serviceId }: Order, { serviceIds }: Holder): boolean {
  return kind !== "upsell" && serviceIds.includes(serviceId)
}

/** Whether an order is within the reach of somebody who has proven himself. */
function isHis({ customerId, accessScope }: Order, customer: AuthenticatedCustomer | null): boolean {
  return customer?.id === customerId && covers(customer, accessScope)
}
