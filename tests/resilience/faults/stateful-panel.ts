import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { panelLines } from "../../fakes/panel-lines"
import type { PanelLine } from "../invariants/system-state"

export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtMzItYnl0ZXMtbG9uZyEh"

export type Panel = {
  readonly origin: string
  /** Active lines at the panel. */
  lines(): readonly PanelLine[]
  close(): Promise<void>
}

/** Opens an operator's panel with state: verifies signatures and applies each command once. */
export async function openPanel(): Promise<Panel> {
  const panel = panelLines("https://panel.example")
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (!isSigned(request, body)) return response.writeHead(401).end()
    const answer = panel.receive(String(request.headers["webhook-id"]), body)
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(JSON.stringify(answer.body))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: () => panel.lines().map(({ id: serviceId, ...line }) => ({ serviceId, ...line })),
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
