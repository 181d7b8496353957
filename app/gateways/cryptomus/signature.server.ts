import { createHash, timingSafeEqual } from "node:crypto"

/** What shows who speaks, in both directions: MD5 of the text in base64 and the payment key (reference, section 1). */
export function signatureOf(text: string, key: string): string {
  return createHash("md5").update(Buffer.from(text).toString("base64")).update(key).digest("hex")
}

/** Whether a signature is the one of this text; takes as long for a wrong one as for a right one. */
export function isSignedBy(key: string, text: string, signature: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(text, key))]
  return given.length === right.length && timingSafeEqual(given, right)
}
