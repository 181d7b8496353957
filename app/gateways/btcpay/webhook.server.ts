import { createHmac, timingSafeEqual } from "node:crypto"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

const MAX_BODY = 64 * 1024

/**
 * Verifies the `BTCPay-Sig` header, an HMAC-SHA256 (reference: hosted gateways, section 8), with any of the secrets.
 * The signature has no timestamp, so a replayed callback verifies too: treat callbacks as hints only. Throws
 * `UntrustedCallbackError`.
 */
export function checkBtcpaySignature({ headers, body }: RawCallback, secrets: readonly string[]): void {
  if (body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("btcpay-sig") ?? "") ?? []
  if (!given) throw new UntrustedCallbackError("btcpay-sig is missing or malformed")
  const code = Buffer.from(given, "hex")
  // Every secret is tried, so that the response time does not reveal which one matches.
  const fitting = secrets.filter((secret) => timingSafeEqual(code, hmac(secret, body)))
  if (fitting.length === 0) throw new UntrustedCallbackError("signature does not match")
}

function hmac(secret: string, body: Buffer): Buffer {
  return createHmac("sha256", secret).update(body).digest()
}
