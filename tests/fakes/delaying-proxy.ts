import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export type HoldingProxy = {
  readonly port: number
  /** Holds requests to the upstream until `release`. */
  hold(): void
  /** Number of held requests. */
  held(): number
  release(): void
  close(): Promise<void>
}

/** Opens a proxy in front of an upstream that delays requests as long as a test needs. */
export async function openDelayingProxy(target: { host: string; port: number }): Promise<HoldingProxy> {
  let released = Promise.resolve()
  let release = () => {}
  let held = 0
  const passed = (upstream: Socket, body: string | Buffer) => {
    held++
    return released.then(() => {
      held--
      upstream.write(body)
    })
  }
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    const client = track(socket)
    const upstream = track(connect(target))
    client.on("data", (body) => void passed(upstream, body))
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.end())
    upstream.pipe(client)
  })
  server.listen(0, "127.0.0.1", 1_024)
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      release = resolve
    },
    held: () => held,
    release: () => release(),
    async close() {
      release()
      const closed = once(server, "close")
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
