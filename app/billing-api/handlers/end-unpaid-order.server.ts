import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import type { Order } from "~/domain/orders/order"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import { cancelUnpaidOrder, holdUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { ApiError } from "./api-error"
import { type ApiCall, ownOrder } from "./ownership"

/**
 * Cancels an unpaid order; a partial payment becomes account credit. Does nothing for a cancelled, expired or flagged
 * order. Responds 409 if the order is paid or a payment is being confirmed.
 */
export async function cancelOrder(
  api: ApiCall,
  request: RequestOf<"cancelOrder">,
): Promise<ResponseOf<"cancelOrder">> {
  const order = await named(api, request)
  const given = unpaidFinalStatuses.includes(order.status)
    ? order
    : await cancelUnpaidOrder(api.services, order.id)
  return ended(given)
}

/**
 * Puts an unpaid order on hold as suspected fraud. Does nothing for a cancelled, expired or flagged order. Responds
 * 409 if the order is paid or partially paid, or a payment is being confirmed.
 */
export async function fraudOrder(
  api: ApiCall,
  request: RequestOf<"fraudOrder">,
): Promise<ResponseOf<"fraudOrder">> {
  const order = await named(api, request)
  const held = unpaidFinalStatuses.includes(order.status)
    ? order
    : await holdUnpaidOrder(api.services, order.id, "the caller says so")
  return ended(held)
}

async function named(api: ApiCall, { orderid, clientid }: RequestOf<"cancelOrder">): Promise<Order> {
  return ownOrder(api, await api.services.billing.order(orderid), clientid)
}

function ended(order: Order | null): ResponseOf<"cancelOrder"> {
  if (order && unpaidFinalStatuses.includes(order.status)) return { result: "success" }
  const isWithoutMoney = order?.status === "placed" || order?.status === "awaiting-payment"
  throw new ApiError(
    "conflict",
    isWithoutMoney ? "Payment of the order is being confirmed" : "Order is paid or partially paid",
  )
}
