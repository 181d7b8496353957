import { createHmac, timingSafeEqual } from "node:crypto"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

const MAX_BODY = 64 * 1024

/**
 * Checks who is speaking by `BTCPay-Sig` (reference: hosted gateways, section 8). Any of the secrets may have
 * signed. There is no time in it: an old callback sent again is as good as new, so it may only be taken for a hint.
 * Throws `UntrustedCallback`.
 */
export function checkBtcpaySignature({ headers, body }: RawCallback, secrets: readonly string[]): void {
  if (body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers.get("btcpay-sig") ?? "") ?? []
  if (!given) throw new UntrustedCallbackError("btcpay-sig is missing or malformed")
  const code = Buffer.from(given, "hex")
  // All are tried, so that the time taken does not tell which of them fits.
  const fitting = secrets.filter((secret) => timingSafeEqual(code, hmac(secret, body)))
  if (fitting.length === 0) throw new UntrustedCallbackError("signature does not match")
}

function hmac(secret: string, body: Buffer): Buffer {
  return createHmac("sha256", secret).update(body).digest()
}
