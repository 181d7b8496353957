import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

/**
 * `pass`: no fault. `refuse`: connections are reset. `hang`: accepted without a response. `html`: every request gets an
 * HTML page. `cut`: the response ends halfway.
 */
type Fault = "pass" | "refuse" | "hang" | "html" | "cut"

export type FaultProxy = {
  port: number
  /**
   * Applies from the next request on, also on open connections: closing them would make a client with keep-alive
   * connections fail at random.
   */
  set(fault: Fault): void
  /** Number of requests so far. */
  requests(): number
  close(): Promise<void>
}

type Target = { host: string; port: number }
type Line = { client: Socket; upstream: () => Socket }

/** Opens a proxy in front of an upstream on a free local port and injects faults on request. */
export async function openFaultProxy(target: Target): Promise<FaultProxy> {
  let fault: Fault = "pass"
  let requests = 0
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    // Broken connections are expected.
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
  }

  const server = createServer((socket) => {
    const client = track(socket)
    if (fault === "refuse") return void client.resetAndDestroy()
    let upstream: Socket | undefined
    const line: Line = {
      client,
      upstream: () => {
        upstream ??= joined(client, track(connect(target)), () => fault)
        return upstream
      },
    }
    client.on("data", (request: Buffer) => {
      requests++
      ways[fault](line, request)
    })
    client.on("close", () => upstream?.destroy())
  })

  return {
    port: await listening(server),
    set(next) {
      fault = next
    },
    requests: () => requests,
    async close() {
      const closed = once(server, "close")
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Forwards the upstream's responses to the client: each completely, or the first half of one. */
function joined(client: Socket, upstream: Socket, fault: () => Fault): Socket {
  upstream.on("data", (response: Buffer) => {
    if (fault() !== "cut") return void client.write(response)
    client.end(response.subarray(0, Math.floor(response.length / 2)))
    upstream.destroy()
  })
  upstream.on("close", () => client.end())
  return upstream
}

const PAGE = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>"
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\nconnection: close`

const ways: Record<Fault, (line: Line, request: Buffer) => void> = {
  pass: ({ upstream }, request) => void upstream().write(request),
  refuse: ({ client }) => void client.resetAndDestroy(),
  hang: () => undefined,
  html: ({ client }) => void client.end(`${HEAD}\r\n\r\n${PAGE}`),
  cut: ({ upstream }, request) => void upstream().write(request),
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("The fault proxy has no port")
  return address.port
}
