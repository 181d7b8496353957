import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payments/payment"
import type { CallbackHint } from "~/gateways/gateway"
import { parseAs } from "~/gateways/webhook.server"
import { attemptOf, CryptomusInvoice, InvoiceName, source, toPaymentUpdate } from "./invoice"
import { isInvoiceStatus } from "./status"

/** Wallet events and test webhooks use the same URL and key; a test webhook has an invented `order_id`. */
const Notice = z.object({ type: z.string(), order_id: z.string().nullish(), status: z.string() })

const Named = z.object({ uuid: InvoiceName })

/**
 * Parses a verified callback. Null when it is not about a payment of this shop, or has an unknown status. A hint when it
 * is malformed or lacks the received amount, so that the invoice is fetched. Throws `GatewayError` (`unreadable`).
 */
export function readCryptomusCallback(value: unknown): PaymentUpdate | CallbackHint | null {
  const { type, order_id, status } = parseAs(Notice, value, source("callback"))
  const attemptId = attemptOf(order_id)
  if (type !== "payment" || attemptId === null || !isInvoiceStatus(status)) return null
  const invoice = CryptomusInvoice.safeParse(value)
  if (invoice.success && invoice.data.isSumNamed) return toPaymentUpdate(invoice.data)
  const named = Named.safeParse(value)
  if (named.success) return { paymentId: named.data.uuid, attemptId }
  return toPaymentUpdate(parseAs(CryptomusInvoice, value, source("callback")))
}
