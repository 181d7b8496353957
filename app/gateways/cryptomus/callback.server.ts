import { z } from "zod"
import type { PaymentNews } from "~/domain/payment"
import type { RawCallback } from "~/gateways/gateway"
import { CryptomusInvoice, isOurOrder, newsOf } from "./invoice"
import { readAs } from "./parsing"
import { isInvoiceStatus } from "./status"
import { openCryptomusWebhook, type WebhookTrust } from "./webhook.server"

/** Wallets and test webhooks come here too, signed with the same key; test webhooks make up an order's name. */
const Notice = z.object({ type: z.string(), order_id: z.string().nullish(), status: z.string() })

/** What a callback says of a payment of ours; null when it is about something else, or in a word nobody knows yet. */
export function readCryptomusNews(callback: RawCallback, trust: WebhookTrust): PaymentNews | null {
  const said = openCryptomusWebhook(callback, trust)
  const { type, order_id, status } = readAs(Notice, said, "calls back with")
  if (type !== "payment" || !isOurOrder(order_id) || !isInvoiceStatus(status)) return null
  return newsOf(readAs(CryptomusInvoice, said, "calls back with"))
}
