import { z } from "zod"
import type { PaymentNews } from "~/domain/payment"
import type { RawCallback } from "~/gateways/gateway"
import { CoinbaseCheckout, newsOf } from "./checkout"
import { jsonIn, shaped } from "./parsing"
import { checkHook0 } from "./webhook.server"

/** The events that say how a checkout stands; links of before 2026 send them under their old names. */
const ABOUT_PAYMENT = /^(checkout|payment_link)\.(payment|refund)\./

const Event = z.object({
  eventType: z.string(),
  /** Whoever owns the account may sell by other means too: those checkouts do not name an attempt of ours. */
  metadata: z.object({ attempt: z.string().optional() }).nullish(),
})

/** What a callback says of a payment of ours; null when it speaks of something else. */
export function readCoinbaseNews(callback: RawCallback, secrets: readonly string[]): PaymentNews | null {
  checkHook0(callback, secrets)
  const said = jsonIn(callback.body)
  const { eventType, metadata } = shaped(Event, said)
  if (!ABOUT_PAYMENT.test(eventType) || !metadata?.attempt) return null
  return newsOf(shaped(CoinbaseCheckout, said))
}
