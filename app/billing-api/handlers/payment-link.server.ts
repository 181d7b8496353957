import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { toErrorCode } from "~/billing-api/contract/error-codes"
import { toDecimal } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { openPayment, type PaymentStart, type ReturnUrls } from "~/flows/payments/open-payment.server"
import { ApiError } from "./api-error"
import { orderByInvoice } from "./get-invoice.server"
import type { ApiCall } from "./ownership"
import { isSame } from "./same-amount"

type PaymentLinkRequest = RequestOf<"coinbase">

/** Handler that creates a payment link at a gateway (billing API: coinbase). Another gateway than the order's replaces it. */
export function payBy(gateway: GatewayId) {
  return async (api: ApiCall, request: PaymentLinkRequest): Promise<ResponseOf<"coinbase">> => {
    const order = await orderByInvoice(api, request.invoiceid, request.clientid)
    checkAmount(order, request)
    const method = { gateway, coin: null, ...backIn(request) }
    const opening =
      order.gateway === gateway
        ? await openPayment(api.services, order, method)
        : await changeGateway(api.services, order.id, method)
    const origins = [...(api.services.gateways.get(gateway)?.origins ?? [])]
    return { result: "success", link: linkIn(opening), origins }
  }
}

/** Payment link at offshore, whose parameter is `invoice` instead of `invoiceid` (billing API: offshore). */
export async function offshore(
  api: ApiCall,
  request: RequestOf<"offshore">,
): Promise<ResponseOf<"offshore">> {
  return payBy("offshore")(api, { ...request, invoiceid: request.invoice })
}

/** Throws 409 unless the order is payable and the amount equals the amount due. */
function checkAmount(order: Order, { amount, currency }: PaymentLinkRequest): void {
  if (!payableStatuses.includes(order.status)) throw new ApiError("conflict", "Order is not payable")
  const left = outstanding(order)
  if (isSame(amount, toDecimal(left)) && currency === left.currency) return
  throw new ApiError(
    "price-changed",
    `Amount does not match the amount due: ${toDecimal(left)} ${left.currency}`,
  )
}

function backIn({ returnurl, cancelurl }: PaymentLinkRequest): { back?: ReturnUrls } {
  if (returnurl === undefined) return {}
  return { back: { returnUrl: returnurl, cancelUrl: cancelurl ?? returnurl } }
}

function linkIn(opening: PaymentStart): string {
  if (opening.kind === "opened") return opening.url
  if (opening.kind === "nothing-to-pay") throw new ApiError("conflict", "Order is not payable")
  if (opening.kind === "too-many") {
    throw new ApiError("rate-limited", "Too many payments for this order", opening.retryAfterSeconds)
  }
  if (opening.kind === "pending") {
    throw new ApiError("unavailable", "Order is not confirmed by the billing system yet")
  }
  throw new ApiError(
    toErrorCode(opening.error),
    "Gateway did not create the payment",
    opening.retryAfterSeconds,
  )
}
