import { type Instant, SECOND } from "~/domain/calendar"
import type { RawCallback } from "./gateway"

/**
 * A callback that looks right in the form of every module and is signed by nobody, for trying out whether it is
 * refused. Each module looks for its own signature only.
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
