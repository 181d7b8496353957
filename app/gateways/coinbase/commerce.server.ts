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
  /** How the WHMCS module named what a charge is for. */
  invoiceid: z.string().max(100).optional(),
})

const Notice = z.object({
  event: z.object({
    id: z.string().regex(/^[\x21-\x7e]{1,100}$/, "is not an event's name"),
    type: z.string(),
    data: z.object({ metadata: Metadata.nullish() }).loose(),
  }),
})

/** Whether it speaks as Commerce did, which ended on 31 March 2026. */
export function isCommerce({ headers }: RawCallback): boolean {
  return headers.has(SIGNATURE)
}

/**
 * What a callback of the Commerce era says of a charge of ours; null when it speaks of something else. The charge
 * cannot be asked for any more, so the signed words are all there is. They carry no time of sending: a repeat is
 * known by its event's name.
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
  // Events of Checkouts are known by other names, and no two kinds of names may meet.
  return { eventKey: `commerce ${id}`, attemptId, ...charge }
}

/** Lower-case hexadecimal HMAC-SHA256 over the bytes, with any of the secrets (reference: coinbase, section 1). */
function checkSignature({ headers, body }: RawCallback, secrets: readonly string[]): void {
  if (body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const given = headers.get(SIGNATURE) ?? ""
  if (!/^[0-9a-f]{64}$/.test(given)) throw new UntrustedCallbackError(`${SIGNATURE} is missing or malformed`)
  if (!secrets.some((secret) => same(given, hmac(secret, [body])))) {
    throw new UntrustedCallbackError("signature does not match")
  }
}
