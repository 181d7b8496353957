import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import type { CallbackHint, RawCallback } from "~/gateways/gateway"
import { attemptOf, CryptomusInvoice, InvoiceName, toPaymentUpdate } from "./invoice"
import { parseAs } from "./parsing"
import { isInvoiceStatus } from "./status"
import { openCryptomusWebhook, type WebhookTrust } from "./webhook.server"

/** Wallet events and test webhooks use the same URL and key; a test webhook has an invented `order_id`. */
const Notice = z.object({ type: z.string(), order_id: z.string().nullish(), status: z.string() })

const Named = z.object({ uuid: InvoiceName })

/**
 * Verifies and parses a callback. Null when it is not about a payment of this shop, or has an unknown status. A hint
 * when it is malformed or lacks the received amount, so that the invoice is fetched. Throws `UntrustedCallbackError` or
 * `GatewayError` (`unreadable`).
 */
export function parseCryptomusCallback(
  callback: RawCallback,
  trust: WebhookTrust,
): PaymentUpdate | CallbackHint | null {
  const value = openCryptomusWebhook(callback, trust)
  const { type, order_id, status } = parseAs(Notice, value, "callback")
  const attemptId = attemptOf(order_id)
  if (type !== "payment" || attemptId === null || !isInvoiceStatus(status)) return null
  const invoice = CryptomusInvoice.safeParse(value)
  if (invoice.success && invoice.data.isSumNamed) return toPaymentUpdate(invoice.data)
  const named = Named.safeParse(value)
  if (named.success) return { paymentId: named.data.uuid, attemptId }
  return toPaymentUpdate(parseAs(CryptomusInvoice, value, "callback"))
}
