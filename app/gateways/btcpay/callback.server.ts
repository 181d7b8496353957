import { z } from "zod"
import { type CallbackHint, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { InvoiceName } from "./invoice"
import { checkBtcpaySignature } from "./webhook.server"

/** Whatever can happen to an invoice but its coming into being, of which we know. */
const ABOUT_PAYMENT = /^Invoice(?!Created$)/

const Event = z.object({
  type: z.string(),
  storeId: z.string(),
  /** Whoever owns the store may sell by other means too: those invoices do not name an attempt of ours. */
  metadata: z.object({ attemptId: z.string().max(200).nullish() }).nullish(),
})
const InvoiceEvent = z.object({ invoiceId: InvoiceName })

type Trust = { readonly store: string; readonly webhookSecrets: readonly string[] }

/**
 * Which payment of ours a callback is about; null when it speaks of something else. It names no sums, so what has
 * become of the payment must be asked.
 */
export function readBtcpayHint(callback: RawCallback, { store, webhookSecrets }: Trust): CallbackHint | null {
  checkBtcpaySignature(callback, webhookSecrets)
  const value = json(callback.body)
  const { type, storeId, metadata } = parseAs(Event, value)
  if (storeId !== store) throw new UntrustedCallbackError("about another store")
  if (!ABOUT_PAYMENT.test(type) || !metadata?.attemptId) return null
  return { paymentId: parseAs(InvoiceEvent, value).invoiceId, attemptId: metadata.attemptId }
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallbackError("not JSON", { cause })
  }
}

const Named = z.object({ metadata: z.object({ attemptId: z.string().min(1).max(200) }) })

/** Signed, so it is the provider that speaks: what cannot be read is loud. */
function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `btcpay calls back with nonsense: ${z.prettifyError(cause)}`, {
    cause,
    attemptId: Named.safeParse(value).data?.metadata.attemptId ?? null,
  })
}
