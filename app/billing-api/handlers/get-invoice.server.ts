import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { invoiceOf } from "~/billing-api/contract/orders"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { ApiError, notFound } from "./api-error"
import { type ApiCall, ownOrder } from "./ownership"

/** Status of an order by invoice id, idempotency key or order id. Polls the gateway first if a poll is due. */
export async function invoice(api: ApiCall, request: RequestOf<"invoice">): Promise<ResponseOf<"invoice">> {
  const { billing } = api.services
  const order = ownOrder(api, await named(api, request), request.clientid)
  await pollOrderPayment(api.services, order.id)
  return invoiceOf((await billing.order(order.id)) ?? order)
}

async function named({ services: { billing } }: ApiCall, { invoiceid, key, orderid }: RequestOf<"invoice">) {
  if (invoiceid !== undefined) return billing.orderByInvoice(invoiceid)
  if (key !== undefined) return billing.orderByIdempotencyKey(key)
  if (orderid !== undefined) return billing.order(orderid)
  throw new ApiError("bad-request", "invoiceid, key or orderid is required")
}

/** The order of an invoice. Throws 404 unless it belongs to the token's customer. */
export async function orderByInvoice(api: ApiCall, invoiceId: string, clientid?: string) {
  const order = await api.services.billing.orderByInvoice(invoiceId)
  if (!order) throw notFound("Invoice")
  return ownOrder(api, order, clientid)
}
