import { z } from "zod"
import type { PaymentNews } from "~/domain/payment"
import type { PaymentHint, RawCallback } from "~/gateways/gateway"
import { attemptOf, CryptomusInvoice, InvoiceName, newsOf } from "./invoice"
import { readAs } from "./parsing"
import { isInvoiceStatus } from "./status"
import { openCryptomusWebhook, type WebhookTrust } from "./webhook.server"

/** Wallets and test webhooks come here too, signed with the same key; test webhooks make up an order's name. */
const Notice = z.object({ type: z.string(), order_id: z.string().nullish(), status: z.string() })

const Named = z.object({ uuid: InvoiceName })

/**
 * What a callback says of a payment of ours; null when it is about something else, or in a word nobody knows yet. What
 * cannot be read in it, or does not name the sum that has come, is asked for.
 */
export function readCryptomusNews(
  callback: RawCallback,
  trust: WebhookTrust,
): PaymentNews | PaymentHint | null {
  const said = openCryptomusWebhook(callback, trust)
  const { type, order_id, status } = readAs(Notice, said, "calls back with")
  const attemptId = attemptOf(order_id)
  if (type !== "payment" || attemptId === null || !isInvoiceStatus(status)) return null
  const invoice = CryptomusInvoice.safeParse(said)
  if (invoice.success && invoice.data.isSumNamed) return newsOf(invoice.data)
  const named = Named.safeParse(said)
  if (named.success) return { askAbout: named.data.uuid, attemptId }
  return newsOf(readAs(CryptomusInvoice, said, "calls back with"))
}
