import { createHmac, randomUUID } from "node:crypto"
import type { Service } from "~/domain/services/service"
import type { Line, LineEvent } from "./line-message"

export type SignedEvent = {
  readonly id: string
  readonly type: LineEvent
  readonly data: Line
}

/** Events whose retries must have the same id: a service is created and terminated once. */
const once: readonly LineEvent[] = ["line.create", "line.terminate"]

/**
 * A message to the panel with the whole service. Create and terminate have a deterministic id derived from the request,
 * credentials included, so that a recreated service gets another id. The others get a new id every time: a device may be
 * changed and changed back, and a panel that deduplicates by id would miss the last change. `key`: HMAC key of the ids, so
 * that no password can be guessed from them.
 */
export function lineMessage(
  type: LineEvent,
  line: Service & Pick<Line, "credits">,
  key: string,
): SignedEvent {
  const data = lineOf(line)
  const message = createHmac("sha256", key).update(JSON.stringify([type, data]))
  return { id: `msg_${once.includes(type) ? message.digest("base64url") : randomUUID()}`, type, data }
}

function lineOf({
  id,
  kind,
  productId,
  cycle,
  paidUntil,
  suspension,
  ...line
}: Service & Pick<Line, "credits">): Line {
  const { username, password, name, connections, proxyProtection, deviceAddress, credits } = line
  return {
    id,
    kind,
    productId,
    cycle,
    paidUntil: paidUntil === null ? null : new Date(paidUntil).toISOString(),
    suspendedBy: suspension?.owner ?? null,
    username,
    password,
    name,
    connections,
    proxyProtection,
    deviceAddress,
    ...(credits !== undefined && { credits }),
  }
}
