import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { z } from "zod"

export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtMzItYnl0ZXMtbG9uZyEh"

const Message = z.object({
  type: z.string(),
  data: z.object({ username: z.string(), connections: z.int(), deviceAddress: z.string().nullable() }),
})

/** Starts an operator's panel on this machine. It verifies signatures and can be made to fail. */
export async function startPanel() {
  const received: z.output<typeof Message>[] = []
  let broken = false
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    if (broken) return response.writeHead(503).end("down for maintenance")
    const message = Message.parse(
      new Webhook(PANEL_SECRET).verify(text, request.headers as Record<string, string>),
    )
    received.push(message)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify(message.type === "line.create" ? { host: "https://panel.example" } : {}))
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    break(now: boolean) {
      broken = now
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const part of request.setEncoding("utf8")) text += part
  return text
}
