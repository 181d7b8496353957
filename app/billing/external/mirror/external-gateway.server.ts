import { BillingError } from "~/billing/billing"
import type {
  ExternalOrderStatus,
  ExternalPaymentRequest,
  ExternalPayments,
} from "~/billing/external/external-orders"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payments/payment"
import { type Gateway, GatewayError, type PaymentRequest, UntrustedCallbackError } from "~/gateways/gateway"
import type { MirrorContext } from "./context.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"
import { cancelIfEnded } from "./reconcile-orders.server"

/**
 * Gateway whose payments the external system takes: it creates payment URLs and is polled for the amount received.
 * There are no callbacks. An overpayment becomes the customer's credit in the external system, not in this shop.
 */
export function externalGateway(mirror: MirrorContext, payments: ExternalPayments, id: GatewayId): Gateway {
  return {
    id,
    get origins() {
      return payments.origins(id)
    },
    // A payment URL is valid for a fixed amount; the remaining amount needs a new one.
    takesTopUps: false,
    onSite: null,
    testCallback: null,
    calls: null,
    refunds: null,
    startPayment: (payment) =>
      withGatewayErrors(async () => ({
        paymentId: payment.attemptId,
        url: await payments.link(await toExternalPayment(mirror, id, payment)),
      })),
    parseCallback() {
      throw new UntrustedCallbackError("external billing sends no callbacks")
    },
    closePayment: async () => "stays-open",
    fetchPayment: ({ paymentId }) => withGatewayErrors(() => paymentUpdate(mirror, paymentId)),
  }
}

async function toExternalPayment(
  mirror: MirrorContext,
  gateway: GatewayId,
  payment: PaymentRequest,
): Promise<ExternalPaymentRequest> {
  const { attemptId, amount, returnUrl, cancelUrl, locale } = payment
  const order = await ensureExternalOrder(mirror, payment.orderId)
  const { service } = await known(mirror, payment.orderId)
  const { productId } = service
  return { order, gateway, productId, amount, attemptId, returnUrl, cancelUrl, locale: locale.code }
}

async function paymentUpdate(mirror: MirrorContext, attemptId: string): Promise<PaymentUpdate | null> {
  const attempt = await mirror.store.attempt(attemptId)
  const row = attempt && (await mirror.store.externalOrder(attempt.orderId))
  if (!attempt || !row || row.state === "wanted") return null
  const it = await known(mirror, attempt.orderId)
  const { order } = it
  const orderStatus = await mirror.externalBilling.orderStatus(toExternalOrderRef(it, row))
  const status = statusOf[orderStatus.state]
  const received = receivedFor(order, orderStatus)
  // What has ended there can be paid no more: the buyer is not left with a payment that cannot be opened until the sweep finds out.
  if (received.minor === 0 && (await cancelIfEnded(mirror, order, orderStatus.state))) return null
  const eventKey = `${attemptId}:${status}:${received.minor}`
  const transactionId = row.their_invoice_id ?? attemptId
  return { eventKey, attemptId, status, received, ofInvoice: true, transactionId }
}

/** The external amount is that of the whole invoice; a paid one has received its total, whatever the system reports. */
function receivedFor({ total }: Order, { state, received }: ExternalOrderStatus): Money {
  if (state === "paid") return total
  return received?.currency === total.currency ? received : money(0, total.currency)
}

/** Of an invoice, not of one attempt: which of them has received a part of it, the settlement knows. */
const statusOf: Record<ExternalOrderStatus["state"], PaymentStatus> = {
  open: "pending",
  paid: "paid",
  cancelled: "expired",
  fraud: "expired",
  unknown: "expired",
}

async function withGatewayErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    const { kind, message, retryAfterSeconds } = error
    throw new GatewayError(kind, `external billing: ${message}`, { cause: error, retryAfterSeconds })
  }
}
