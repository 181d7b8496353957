import { z } from "zod"
import { AttemptId } from "~/gateways/fields"
import { type CallbackHint, UntrustedCallbackError } from "~/gateways/gateway"
import { callbackJson, parseAs } from "~/gateways/webhook.server"
import { InvoiceName } from "./invoice"

/** Every invoice event except `InvoiceCreated`, which the shop causes itself. */
const ABOUT_PAYMENT = /^Invoice(?!Created$)/

const Event = z.object({
  type: z.string(),
  storeId: z.string(),
  /** Invoices that other software creates in the same store have no `attemptId`. */
  metadata: z.object({ attemptId: z.string().max(200).nullish() }).nullish(),
})
const InvoiceEvent = z.object({ invoiceId: InvoiceName })
const Named = z.object({ metadata: z.object({ attemptId: AttemptId }) })

const source = {
  name: "BTCPay callback",
  attemptOf: (value: unknown) => Named.safeParse(value).data?.metadata.attemptId ?? null,
}

/**
 * Returns the payment that a verified callback is about; null when it is not about a payment of this shop. The callback
 * contains no amounts, so the payment must be fetched. Throws `UntrustedCallbackError` or `GatewayError` (`unreadable`).
 */
export function readBtcpayHint(body: Buffer, { store }: { readonly store: string }): CallbackHint | null {
  const value = callbackJson(body)
  const { type, storeId, metadata } = parseAs(Event, value, source)
  if (storeId !== store) throw new UntrustedCallbackError("wrong store id")
  if (!ABOUT_PAYMENT.test(type) || !metadata?.attemptId) return null
  return { paymentId: parseAs(InvoiceEvent, value, source).invoiceId, attemptId: metadata.attemptId }
}
