import type { Said, Told } from "~/billing-api/contract/endpoints"
import { invoiceOf } from "~/billing-api/contract/orders"
import { askAboutOrder } from "~/flows/payments/poll-gateway.server"
import { ApiRefusal, notFound } from "./api-error"
import { type Api, ownOrder } from "./ownership"

/** How an order stands, by its invoice, its number or the key that has made it. The gateway is asked if need be. */
export async function invoice(api: Api, said: Said<"invoice">): Promise<Told<"invoice">> {
  const { billing } = api.services
  const order = ownOrder(api, await named(api, said), said.clientid)
  await askAboutOrder(api.services, order.id)
  return invoiceOf((await billing.order(order.id)) ?? order)
}

async function named({ services: { billing } }: Api, { invoiceid, key, orderid }: Said<"invoice">) {
  if (invoiceid !== undefined) return billing.orderOfInvoice(invoiceid)
  if (key !== undefined) return billing.orderOfKey(key)
  if (orderid !== undefined) return billing.order(orderid)
  throw new ApiRefusal("bad-request", "invoiceid, key or orderid is required")
}

/** The order that an invoice of the caller's customer is for. */
export async function orderOfInvoice(api: Api, invoiceId: string, clientid?: string) {
  const order = await api.services.billing.orderOfInvoice(invoiceId)
  if (!order) throw notFound("Invoice")
  return ownOrder(api, order, clientid)
}
