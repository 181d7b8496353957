import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import type { CallbackHint, RawCallback } from "~/gateways/gateway"
import { attemptOf, CryptomusInvoice, InvoiceName, toPaymentUpdate } from "./invoice"
import { parseAs } from "./parsing"
import { isInvoiceStatus } from "./status"
import { openCryptomusWebhook, type WebhookTrust } from "./webhook.server"

/** Wallets and test webhooks come here too, signed with the same key; test webhooks make up an order's name. */
const Notice = z.object({ type: z.string(), order_id: z.string().nullish(), status: z.string() })

const Named = z.object({ uuid: InvoiceName })

/**
 * What a callback says of a payment of ours; null when it is about something else, or in a word nobody knows yet. What
 * cannot be read in it, or does not name the sum that has come, is asked for.
 */
export function parseCryptomusCallback(
  callback: RawCallback,
  trust: WebhookTrust,
): PaymentUpdate | CallbackHint | null {
  const value = openCryptomusWebhook(callback, trust)
  const { type, order_id, status } = parseAs(Notice, value, "calls back with")
  const attemptId = attemptOf(order_id)
  if (type !== "payment" || attemptId === null || !isInvoiceStatus(status)) return null
  const invoice = CryptomusInvoice.safeParse(value)
  if (invoice.success && invoice.data.isSumNamed) return toPaymentUpdate(invoice.data)
  const named = Named.safeParse(value)
  if (named.success) return { paymentId: named.data.uuid, attemptId }
  return toPaymentUpdate(parseAs(CryptomusInvoice, value, "calls back with"))
}
