import { z } from "zod"
import type { PaymentNews } from "~/domain/payment"
import { CoinbaseCheckout, newsOf } from "./coinbase-checkout"
import { checkHook0 } from "./coinbase-webhook.server"
import { GatewayError, type RawCallback, UntrustedCallback } from "./gateway"

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
  const said = json(callback.body)
  const { eventType, metadata } = shaped(Event, said)
  if (!ABOUT_PAYMENT.test(eventType) || !metadata?.attempt) return null
  return newsOf(shaped(CoinbaseCheckout, said))
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallback("not JSON", { cause })
  }
}

/** Signed, so it is the provider that speaks: what cannot be read is loud, and it sends it again. */
function shaped<T>(as: z.ZodType<T>, said: unknown): T {
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `coinbase calls back with nonsense: ${z.prettifyError(cause)}`, {
    cause,
  })
}
