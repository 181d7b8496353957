import { BillingError } from "~/billing/billing"
import type {
  ExternalOrderStatus,
  ExternalPaymentRequest,
  ExternalPayments,
} from "~/billing/external/external-orders"
import type { Attempt } from "~/billing/payment-repository"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payment"
import { outstanding } from "~/domain/settlement"
import { type Gateway, GatewayError, type PaymentRequest, UntrustedCallbackError } from "~/gateways/gateway"
import type { MirrorContext } from "./context.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"

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
  const { order } = await known(mirror, attempt.orderId)
  const orderStatus = await mirror.externalBilling.orderStatus(toExternalOrderRef(order, row))
  const received = receivedBy(attempt, order, orderStatus)
  const status = statusOf(orderStatus, received, attempt)
  const eventKey = `${attemptId}:${status}:${received.minor}`
  return { eventKey, attemptId, status, received, transactionId: row.their_invoice_id ?? attemptId }
}

/** The external amount is that of the whole invoice. Subtracts other attempts, so that no money counts twice. */
function receivedBy(attempt: Attempt, order: Order, { state, received }: ExternalOrderStatus): Money {
  const { currency } = order.total
  const before = attempt.received.minor
  const max = before + outstanding(order).minor
  if (state === "paid") return money(max, currency)
  if (received?.currency !== currency) return money(before, currency)
  const others = order.received.minor - before
  return money(Math.max(before, Math.min(max, received.minor - others)), currency)
}

function statusOf({ state }: ExternalOrderStatus, { minor }: Money, attempt: Attempt): PaymentStatus {
  if (state === "paid") return "paid"
  if (minor > attempt.received.minor || attempt.status === "partially-paid") return "partially-paid"
  return state === "open" ? "pending" : "expired"
}

async function withGatewayErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    throw new GatewayError(error.kind, `external billing: ${error.message}`, { cause: error })
  }
}
