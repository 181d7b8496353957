import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { LoggedServices } from "~/context/services.server"
import { isGatewayId } from "~/domain/payments/gateway-id"
import { receiveCallback } from "~/flows/payments/receive-callback.server"

/** Opens the endpoint for gateway callbacks. */
export async function openCallbackEndpoint(services: () => LoggedServices) {
  const server = createServer(async (request, response) => {
    const id = request.url?.split("/").at(-2) ?? ""
    const callback = {
      headers: new Headers(request.headers as Record<string, string>),
      body: await buffer(request),
      at: services().now(),
      address: null,
    }
    if (!isGatewayId(id)) return response.writeHead(404).end()
    const received = await receiveCallback(services(), id, callback).catch(() => null)
    if (received === null) return response.writeHead(503).end()
    response.writeHead(received.kind === "accepted" ? 204 : 401).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Waits until a condition holds, at most half a minute. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 2))
}
