import type { RawCallback, SignedCallback } from "~/gateways/gateway"
import { bodyOf, checkSignature, signedHeader } from "~/gateways/webhook.server"
import { hmacSha256 } from "~/security/signature.server"

/**
 * Verifies the `BTCPay-Sig` header, an HMAC-SHA256 (docs/gateways.md, BTCPay), with any of the secrets, and
 * returns the body. The signature has no timestamp, so a replayed callback verifies too: treat callbacks as hints only.
 * Throws `UntrustedCallbackError`.
 */
export function openBtcpayWebhook(callback: RawCallback, secrets: readonly string[]): Buffer {
  const body = bodyOf(callback)
  const [, given = ""] = signedHeader(callback, "btcpay-sig", /^sha256=([0-9a-f]{64})$/i)
  checkSignature(
    [given.toLowerCase()],
    secrets.map((secret) => hmacSha256(secret, body).toString("hex")),
  )
  return body
}

type Account = { readonly store: string; readonly webhookSecrets: readonly string[] }

/** A callback of the store about no invoice, signed with the first secret. */
export function signedTest({ store, webhookSecrets: [secret = ""] }: Account): SignedCallback {
  const body = JSON.stringify({ type: "CallbackTest", storeId: store })
  const signature = hmacSha256(secret, body).toString("hex")
  return { headers: { "content-type": "application/json", "btcpay-sig": `sha256=${signature}` }, body }
}
