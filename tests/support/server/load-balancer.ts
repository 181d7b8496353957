import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A TCP load balancer on this machine; `url` is `http://127.0.0.1:PORT`. */
export type Balancer = {
  readonly url: string
  /** How many connections to a port wait for an answer: the client has sent last. */
  unansweredAt(port: number): number
  close(): Promise<void>
}

/**
 * Opens a round-robin load balancer over these ports. A refused connection goes to the next port; open connections of
 * an instance that dies are closed.
 */
export async function openBalancer(targets: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>()
  const unanswered = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    return socket.on("close", () => sockets.delete(socket))
  }
  let next = 0
  const server = createServer(async (client) => {
    track(client).on("error", () => client.destroy())
    const first = next++
    const order = targets.map((_, nth) => targets[(first + nth) % targets.length] ?? 0)
    const upstream = await reached(order)
    if (!upstream || client.destroyed) return void client.destroy()
    track(upstream).on("error", () => client.destroy())
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.destroySoon())
    client.on("data", () => unanswered.add(upstream))
    upstream.on("data", () => unanswered.delete(upstream))
    upstream.on("close", () => unanswered.delete(upstream))
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, "127.0.0.1", 4_096)
  await once(server, "listening")
  const { port: listening } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${listening}`,
    unansweredAt: (port) => [...unanswered].filter((upstream) => upstream.remotePort === port).length,
    async close() {
      const closed = once(server, "close")
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Returns a connection to the first port that accepts one; null if none does. */
async function reached(ports: readonly number[]): Promise<Socket | null> {
  for (const port of ports) {
    const socket = connect({ port, host: "127.0.0.1" })
    const taken = await once(socket, "connect").then(
      () => true,
      () => false,
    )
    if (taken) return socket
  }
  return null
}
