import type { LoggedServices, Services } from "~/context/services.server"
import { type AuthenticatedCustomer, covers } from "~/domain/customers/customer"
import { createsService, LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { countOrderStep } from "./count-order-step.server"

export type ReturnTarget =
  /** The order was placed in another browser: the visitor has to confirm. */
  | { readonly kind: "other-customer"; readonly order: Order }
  /** An order of this session that is not the current one. */
  | { readonly kind: "own"; readonly order: Order }
  /** Another browser has used the token: nothing of the order may be shown but whether its payment has been seen. */
  | { readonly kind: "used"; readonly order: Order }
  /** Invalid, expired, or for the current order: nothing changes. */
  | { readonly kind: "nothing" }

export type Resumed =
  /** `authenticated`: resumed because the customer is signed in, not by using the token first. */
  | { readonly kind: "resumed"; readonly order: Order; readonly authenticated: boolean }
  | { readonly kind: "used" | "nothing" }

type Holder = {
  orderId: string | null
  serviceIds: readonly string[]
  customer: AuthenticatedCustomer | null
}

/** Resume token of an order: an attempt's unguessable id and our signature. */
export function resumeToken({ signer }: Pick<Services, "signer">, attemptId: string): string {
  return `${attemptId}.${signer.sign(`resume ${attemptId}`)}`
}

/**
 * Resolves a resume token for GET. Only the browser that placed the order uses the token up; in any other nothing
 * changes.
 */
export async function resolveReturnToken(
  services: LoggedServices,
  token: string,
  holder: Holder,
): Promise<ReturnTarget> {
  const found = await orderOf(services, token)
  if (!found) return { kind: "nothing" }
  const { order, attemptId, used } = found
  const isOwn = order.id === holder.orderId || isPlacedBySession(order, holder)
  if (isOwn) await redeem(services, { order, attemptId })
  if (order.id === holder.orderId) return { kind: "nothing" }
  if (isOwn) return { kind: "own", order }
  return used && !belongsToCustomer(order, holder.customer)
    ? { kind: "used", order }
    : { kind: "other-customer", order }
}

/** Redeems a resume token by POST: for the first browser that sends it, and for the order's signed-in customer. */
export async function resumeOrder(services: LoggedServices, token: string, holder: Holder): Promise<Resumed> {
  const found = await orderOf(services, token)
  if (!found || found.order.id === holder.orderId) return { kind: "nothing" }
  const { order, attemptId } = found
  const isFirst = await redeem(services, { order, attemptId })
  if (isFirst || isPlacedBySession(order, holder)) return { kind: "resumed", order, authenticated: false }
  return belongsToCustomer(order, holder.customer)
    ? { kind: "resumed", order, authenticated: true }
    : { kind: "used" }
}

/** Redeems the token. Returns whether it is the first time, which is counted as the buyer's return. */
async function redeem(
  services: Pick<Services, "payments" | "now" | "stepCounter">,
  { order, attemptId }: { order: Order; attemptId: string },
): Promise<boolean> {
  const redeemed = await services.payments.redeemReturnToken(attemptId, services.now())
  if (redeemed?.first) countOrderStep(services, "returned", order)
  return redeemed?.first ?? false
}

async function orderOf({ payments, billing, signer, now }: Services, token: string) {
  const [attemptId = "", signature = ""] = token.split(".")
  if (!signer.verify(`resume ${attemptId}`, signature)) return null
  const found = await payments.returnOf(attemptId)
  const order = found && (await billing.order(found.orderId))
  return order && now() <= order.deadline + LATE_PAYMENT_GRACE ? { order, attemptId, used: found.used } : null
}

/** Whether this session placed the order; several sessions may have the service that an order only changes. */
export function isPlacedBySession(order: Order, { serviceIds }: Holder): boolean {
  return createsService(order) && serviceIds.includes(order.serviceId)
}

/** Whether an order is within an authenticated customer's access scope. */
export function belongsToCustomer(
  { customerId, accessScope }: Order,
  customer: AuthenticatedCustomer | null,
): boolean {
  return customer?.id === customerId && covers(customer, accessScope)
}
