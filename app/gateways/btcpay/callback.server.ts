import { z } from "zod"
import { type CallbackHint, GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { InvoiceName } from "./invoice"
import { checkBtcpaySignature } from "./webhook.server"

/** Every invoice event except `InvoiceCreated`, which the shop causes itself. */
const ABOUT_PAYMENT = /^Invoice(?!Created$)/

const Event = z.object({
  type: z.string(),
  storeId: z.string(),
  /** Invoices that other software creates in the same store have no `attemptId`. */
  metadata: z.object({ attemptId: z.string().max(200).nullish() }).nullish(),
})
const InvoiceEvent = z.object({ invoiceId: InvoiceName })

type Trust = { readonly store: string; readonly webhookSecrets: readonly string[] }

/**
 * Verifies a callback and returns the payment it is about; null when it is not about a payment of this shop. The
 * callback contains no amounts, so the payment must be fetched. Throws `UntrustedCallbackError` or `GatewayError`
 * (`unreadable`).
 */
export function readBtcpayHint(callback: RawCallback, { store, webhookSecrets }: Trust): CallbackHint | null {
  checkBtcpaySignature(callback, webhookSecrets)
  const value = json(callback.body)
  const { type, storeId, metadata } = parseAs(Event, value)
  if (storeId !== store) throw new UntrustedCallbackError("wrong store id")
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

/** The payload is signed, so a mismatch is a `GatewayError` (`unreadable`), not an untrusted callback. */
function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `Invalid BTCPay callback: ${z.prettifyError(cause)}`, {
    cause,
    attemptId: Named.safeParse(value).data?.metadata.attemptId ?? null,
  })
}
