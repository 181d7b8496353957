import { once } from "node:events"
import { createServer } from "node:http"
import { expect, vi } from "vitest"
import type { RawCallback } from "~/gateways/gateway"

export type CallbackShop = {
  origin: string
  /** Received callbacks in order of arrival. */
  calls: RawCallback[]
  /** Status codes of the next responses, in order; 204 when the list is empty. */
  statuses: number[]
  /** Waits until this many callbacks have arrived. */
  reached(count: number): Promise<void>
  close(): Promise<void>
}

/** Opens a server that only accepts callbacks. */
export async function openCallbackShop(): Promise<CallbackShop> {
  const calls: RawCallback[] = []
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    calls.push({
      headers: new Headers(Object.entries(request.headersDistinct).map(flat)),
      body,
      at: Date.now(),
      address: request.socket.remoteAddress ?? null,
    })
    response.writeHead(statuses.shift() ?? 204).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("The shop has no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls,
    statuses,
    reached: (count) =>
      vi.waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(count), { timeout: 30_000 }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

function flat([name, values]: [string, string[] | undefined]): [string, string] {
  return [name, values?.join(", ") ?? ""]
}
