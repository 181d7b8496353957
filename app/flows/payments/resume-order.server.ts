import type { Services } from "~/context/services.server"
import type { Proven } from "~/domain/customer"
import { LATE_GRACE, type Order } from "~/domain/order"

export type Resumed =
  | { readonly kind: "resumed"; readonly order: Order }
  /** Another browser has come back by it before. */
  | { readonly kind: "used" }
  /** Not ours, too old, or of the order that is in hand anyway: nothing changes. */
  | { readonly kind: "nothing" }

type Holder = { orderId: string | null; customer: Proven | null }

/** The token that leads back to an order: an attempt's name, which nobody can guess, and our signature. */
export function resumeToken({ signer }: Services, attemptId: string): string {
  return `${attemptId}.${signer.sign(`resume ${attemptId}`)}`
}

/** Exchanges a token for its order: for the first browser that brings it, and for the customer himself. */
export async function resumeOrder(services: Services, token: string, holder: Holder): Promise<Resumed> {
  const { till, billing, signer, now } = services
  const [attemptId = "", signature = ""] = token.split(".")
  if (!signer.isOurs(`resume ${attemptId}`, signature)) return { kind: "nothing" }
  const redeemed = await till.redeemReturn(attemptId, now())
  const order = redeemed && (await billing.order(redeemed.orderId))
  if (!order || order.id === holder.orderId || now() > order.deadline + LATE_GRACE) {
    return { kind: "nothing" }
  }
  return redeemed.first || isHis(order, holder.customer) ? { kind: "resumed", order } : { kind: "used" }
}

/** Whether an order is within the reach of somebody who has proven himself. */
function isHis({ customerId, proven }: Order, customer: Proven | null): boolean {
  return customer?.id === customerId && (customer.reach === "account" || proven)
}
