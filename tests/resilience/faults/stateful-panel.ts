import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { PanelLine } from "../invariants/system-state"

export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtMzItYnl0ZXMtbG9uZyEh"

const Message = z.object({
  type: z.enum(["line.create", "line.terminate", "line.restart", "line.device", "line.connections"]),
  data: z.object({ id: z.string(), username: z.string(), connections: z.int() }),
})
type Message = z.output<typeof Message>

export type Panel = {
  readonly origin: string
  /** Active lines at the panel. */
  lines(): readonly PanelLine[]
  close(): Promise<void>
}

/** Opens an operator's panel with state: verifies signatures and applies each command once. */
export async function openPanel(): Promise<Panel> {
  const seen = new Set<string>()
  let lines: PanelLine[] = []

  function applyMessage({ type, data: { id: serviceId, username, connections } }: Message): void {
    const mine = (it: PanelLine) => it.username === username
    if (type === "line.create") lines.push({ serviceId, username, connections })
    if (type === "line.terminate") lines = lines.filter((it) => !mine(it))
    if (type === "line.connections") lines = lines.map((it) => (mine(it) ? { ...it, connections } : it))
  }

  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (!isSigned(request, body)) return response.writeHead(401).end()
    const message = Message.parse(JSON.parse(body))
    const id = String(request.headers["webhook-id"])
    if (!seen.has(id)) applyMessage(message)
    seen.add(id)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify(message.type === "line.create" ? { host: "https://panel.example" } : {}))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: () => lines,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Verified by hand, because the library's `verify` reads the machine's clock. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
  return (
    headers["webhook-signature"] === new Webhook(PANEL_SECRET).sign(String(headers["webhook-id"]), at, body)
  )
}
