import { type Instant, SECOND } from "~/domain/calendar"
import type { RawCallback } from "./gateway"

/**
 * Builds a callback with a well-formed but invalid signature, to test that a gateway module rejects it. One callback
 * fits every module, because each module reads only its own signature header or member.
 */
export function forgedCallback(at: Instant): RawCallback {
  const seconds = Math.floor(at / SECOND)
  const headers = new Headers({
    "webhook-id": "msg_forged",
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${"A".repeat(43)}=`,
    "x-hook0-signature": `t=${seconds},v0=${"0".repeat(64)}`,
    "btcpay-sig": `sha256=${"0".repeat(64)}`,
  })
  return { headers, body: Buffer.from(`{"sign":"${"0".repeat(32)}"}`), at, address: null }
}
