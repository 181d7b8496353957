import { z } from "zod"
import type { PaymentUpdate } from "~/domain/payment"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { type CommerceCharge, commerceCharge } from "./charge"
import { parseAs, parseJson } from "./parsing"
import { hmac, same } from "./webhook.server"

const SIGNATURE = "x-cc-webhook-signature"
const MAX_BODY = 64 * 1024

const Metadata = z.object({
  attempt: z.string().max(100).optional(),
  /** Member in which the WHMCS module stored the invoice id. */
  invoiceid: z.string().max(100).optional(),
})

const Notice = z.object({
  event: z.object({
    id: z.string().regex(/^[\x21-\x7e]{1,100}$/, "must be an event id"),
    type: z.string(),
    data: z.object({ metadata: Metadata.nullish() }).loose(),
  }),
})

/** Whether the callback is from the Commerce API, which ended on 31 March 2026. */
export function isCommerce({ headers }: RawCallback): boolean {
  return headers.has(SIGNATURE)
}

/**
 * Verifies and parses a callback of the former Commerce API; null when it is not about a charge of this shop. The
 * charge cannot be fetched any more, so the signed payload is the only source. It has no timestamp: duplicates are
 * detected by the event id. Throws `UntrustedCallbackError` or `GatewayError` (`unreadable`).
 */
export function parseCommerceCallback(
  callback: RawCallback,
  secrets: readonly string[],
): PaymentUpdate | null {
  checkSignature(callback, secrets)
  const { id, type, data } = parseAs(Notice, parseJson(callback.body)).event
  const attemptId = data.metadata?.attempt || data.metadata?.invoiceid
  if (!type.startsWith("charge:") || !attemptId) return null
  const charge: CommerceCharge = parseAs(commerceCharge, data)
  // The prefix separates event ids from the state keys of Checkouts.
  return { eventKey: `commerce ${id}`, attemptId, ...charge }
}

/**
 * Verifies the lower-case hexadecimal HMAC-SHA256 of the body with any of the secrets (reference: coinbase, section 1).
 */
function checkSignature({ headers, body }: RawCallback, secrets: readonly string[]): void {
  if (body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const given = headers.get(SIGNATURE) ?? ""
  if (!/^[0-9a-f]{64}$/.test(given)) throw new UntrustedCallbackError(`${SIGNATURE} is missing or malformed`)
  if (!secrets.some((secret) => same(given, hmac(secret, [body])))) {
    throw new UntrustedCallbackError("signature does not match")
  }
}
