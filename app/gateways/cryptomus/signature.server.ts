import { createHash } from "node:crypto"

/**
 * Signature of requests and callbacks: MD5 of the base64 text plus the payment key (docs/gateways.md, Cryptomus).
 */
export function signatureOf(text: string, key: string): string {
  return createHash("md5").update(Buffer.from(text).toString("base64")).update(key).digest("hex")
}
