import type {
  ExternalClosing,
  ExternalOrderRef,
  ExternalOrderStatus,
  ExternalOrders,
} from "~/billing/external/external-orders"
import { fromDecimal } from "~/domain/money/money"
import { isRejection, nullIfUnsupported, type RemoteCall, unlessUnknown } from "./api-client.server"
import { calls, type InvoiceResponse } from "./remote-calls"
import type { ServiceLookup } from "./service-lookup.server"
import { decodeUpsellReference } from "./upsell-reference"

type Ending = Pick<ExternalOrders, "cancelOrder" | "fraudOrder" | "orderStatus">

/** Reads the status of orders, cancels them and marks them as fraud. */
export function remoteOrderStatus(remoteCall: RemoteCall, lines: ServiceLookup): Ending {
  const orderStatus = async (order: ExternalOrderRef) =>
    (await byInvoice(remoteCall, order)) ?? (await statusByService(lines, order))

  /** A rejection is not an error if the order is already cancelled or marked as fraud, or is there no more. */
  async function close(order: ExternalOrderRef, call: typeof calls.cancelOrder): Promise<ExternalClosing> {
    try {
      await closed(remoteCall, call, order)
      return "closed"
    } catch (error) {
      const closing = isRejection(error) ? closingOf(await orderStatus(order)) : null
      if (closing === null) throw error
      return closing
    }
  }

  return {
    orderStatus,
    cancelOrder: (order) => close(order, calls.cancelOrder),
    fraudOrder: (order) => close(order, calls.fraudOrder),
  }
}

async function closed(
  remoteCall: RemoteCall,
  call: typeof calls.cancelOrder,
  order: ExternalOrderRef,
): Promise<void> {
  const { orderId, customerId } = order
  if (orderId === null || decodeUpsellReference(orderId) !== null) return
  await remoteCall(call, { orderid: orderId, clientid: customerId }, { customerId })
}

/** Null: it can still be paid, or is. */
function closingOf({ state }: ExternalOrderStatus): ExternalClosing | null {
  if (state === "unknown") return state
  return state === "cancelled" || state === "fraud" ? "closed" : null
}

type State = ExternalOrderStatus["state"]

/** Invoice statuses of WHMCS. A refunded invoice counts as cancelled. */
const states: Readonly<Record<string, State>> = {
  paid: "paid",
  cancelled: "cancelled",
  canceled: "cancelled",
  refunded: "cancelled",
  fraud: "fraud",
}

async function byInvoice(
  remoteCall: RemoteCall,
  order: ExternalOrderRef,
): Promise<ExternalOrderStatus | null> {
  const { invoiceId: invoiceid, orderId: orderid, customerId } = order
  if (invoiceid === null) return null
  const request = {
    invoiceid,
    orderid: decodeUpsellReference(orderid) === null ? orderid : null,
    clientid: customerId,
  }
  const result = await nullIfUnsupported(unlessUnknown(remoteCall(calls.invoice, request, { customerId })))
  if (result === "unknown") return { state: result, received: null }
  if (result?.invoiceid !== invoiceid) return null
  return { state: states[result.status.toLowerCase()] ?? "open", received: receivedOf(result) }
}

function receivedOf({ received, currency }: InvoiceResponse): ExternalOrderStatus["received"] {
  return received !== undefined && currency ? fromDecimal(received, currency) : null
}

/** Order states by service status, for servers without the `invoice` call. */
const stateByServiceStatus: Readonly<Record<string, State>> = {
  active: "paid",
  completed: "paid",
  suspended: "paid",
  cancelled: "cancelled",
  canceled: "cancelled",
  terminated: "cancelled",
  fraud: "fraud",
}

async function statusByService(lines: ServiceLookup, order: ExternalOrderRef): Promise<ExternalOrderStatus> {
  if (order.kind === "upsell") return { state: await upsellState(lines, order), received: null }
  const service = await lines.find(order)
  return { state: stateByServiceStatus[service?.status.toLowerCase() ?? ""] ?? "open", received: null }
}

/** An upsell counts as paid once the service has the connections. */
async function upsellState(lines: ServiceLookup, order: ExternalOrderRef): Promise<State> {
  const wanted = decodeUpsellReference(order.orderId)
  if (wanted === null) return "open"
  const service = await lines.read(order)
  return (service?.connections ?? 0) >= wanted ? "paid" : "open"
}
