import { createHmac, randomUUID } from "node:crypto"
import type { Service } from "~/domain/service"

/** What a panel can be told about a line. */
export type LineEvent = "line.create" | "line.terminate" | "line.restart" | "line.device" | "line.connections"

export type LineMessage = {
  readonly id: string
  readonly type: LineEvent
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

/** Told again after a failure, these two must be known for the same: a line is made and ended once. */
const once: readonly LineEvent[] = ["line.create", "line.terminate"]

/**
 * A message to the panel; the whole line goes with each. Making and ending a line have an id that follows from what
 * is asked, credentials included, so that a line made anew is another one. The others get a fresh id every time: a
 * device may be changed and changed back, and a panel that drops ids it has seen would miss the last change, while
 * carrying it out twice does no harm. `key`: makes ids from which no password can be found by trying.
 */
export function lineMessage(type: LineEvent, line: Service, key: string): LineMessage {
  const { id, kind, username, password, name, connections, proxyProtection, deviceAddress } = line
  const data = { id, kind, username, password, name, connections, proxyProtection, deviceAddress }
  const message = createHmac("sha256", key).update(JSON.stringify([type, data]))
  return { id: `msg_${once.includes(type) ? message.digest("base64url") : randomUUID()}`, type, data }
}
