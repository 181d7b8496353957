import { toDecimal } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { withGatewayErrors } from "~/gateways/gateway-errors"
import { checkPaymentId, type GatewayForm } from "~/gateways/gateway-form"
import { jsonClient, type Upstream } from "~/http/json-client.server"
import { OffshorePayment, OpenedOffshorePayment, toPaymentUpdate } from "./payment"

/** API mode (docs/gateways.md, Offshore): creates and fetches payments at `{url}/payments`. */
export function byApi(upstream: Upstream): Pick<GatewayForm<unknown>, "open" | "poll"> {
  const client = jsonClient(upstream)
  return {
    async open(payment) {
      const call = {
        body: toCreateRequest(payment),
        as: OpenedOffshorePayment,
        idempotencyKey: payment.attemptId,
      }
      const { id: paymentId, url } = await withGatewayErrors(client.post("payments", call))
      return { paymentId, url }
    },
    async poll(paymentId) {
      const payment = await withGatewayErrors(
        client.get(`payments/${encodeURIComponent(paymentId)}`, OffshorePayment),
      )
      checkPaymentId({ name: "offshore" }, payment.paymentId, paymentId)
      return toPaymentUpdate(payment, payment.stateKey)
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
