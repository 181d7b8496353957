import { toDecimal } from "~/domain/money"
import { type Gateway, GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { jsonClient, type Upstream } from "~/http/json-client.server"
import { OffshorePayment, OpenedOffshorePayment, toPaymentUpdate } from "./payment"

/** API mode (reference: hosted gateways, section 4): creates and fetches payments at `{url}/payments`. */
export function byApi(
  upstream: Upstream,
  origins: readonly string[],
): Pick<Gateway, "startPayment" | "fetchPayment"> {
  const client = jsonClient(upstream)
  return {
    async startPayment(payment) {
      const call = {
        body: toCreateRequest(payment),
        as: OpenedOffshorePayment,
        idempotencyKey: payment.attemptId,
      }
      const { id: paymentId, url } = await withGatewayErrors(client.post("payments", call))
      if (!origins.includes(new URL(url).origin)) {
        throw new GatewayError("unreadable", "Invalid payment link: origin is not the gateway's")
      }
      return { paymentId, url }
    },
    async fetchPayment({ paymentId }) {
      const payment = await withGatewayErrors(
        client.get(`payments/${encodeURIComponent(paymentId)}`, OffshorePayment),
      )
      if (payment.paymentId === paymentId) return toPaymentUpdate(payment, payment.stateKey)
      throw new GatewayError("unreadable", "Invalid offshore response: wrong payment id")
    },
  }
}

function toCreateRequest({ attemptId, orderId, amount, locale, ...payment }: PaymentRequest) {
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    reference: attemptId,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    callback_url: payment.callbackUrl,
    expires_at: new Date(payment.expiresAt).toISOString(),
    metadata: { order: orderId, locale: locale.iso },
  }
}
