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
  /** Forwards what hangs, and all that follows: what a test holds ends when the test says so, not at a timeout. */
  release(): void
  /**
   * Open connections, and those opened until `moveTo`, get no byte and no end, as from a machine that has lost its power
   * or its network. `new`: open ones stay as they are.
   */
  silence(which?: "all" | "new"): void
  /** Leads new connections to another upstream, as an address that moves to another machine. Open ones stay. */
  moveTo(target: Target): void
  /** Number of requests so far. */
  requests(): number
  close(): Promise<void>
}

type Target = { host: string; port: number }
type Line = { client: Socket; upstream: () => Socket }

/** Opens a proxy in front of an upstream on a free local port and injects faults on request. */
export async function openFaultProxy(first: Target): Promise<FaultProxy> {
  let target = first
  let fault: Fault = "pass"
  let requests = 0
  let isSilent = false
  let held: (() => void)[] = []
  const sockets = new Set<Socket>()
  const silenced = new WeakSet<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    // Broken connections are expected.
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
  }

  const server = createServer((socket) => {
    const client = track(socket)
    if (isSilent) silenced.add(client)
    if (fault === "refuse") return void client.resetAndDestroy()
    let upstream: Socket | undefined
    const line: Line = {
      client,
      upstream: () => {
        upstream ??= joined(client, track(connect(target)), { fault: () => fault, silenced })
        return upstream
      },
    }
    client.on("data", (request: Buffer) => {
      requests++
      if (silenced.has(client)) return
      if (fault === "hang") held.push(() => ways.pass(line, request))
      else ways[fault](line, request)
    })
    client.on("close", () => upstream?.destroy())
  })

  return {
    port: await listening(server),
    set(next) {
      fault = next
    },
    release() {
      fault = "pass"
      for (const forward of held) forward()
      held = []
    },
    silence(which = "all") {
      isSilent = true
      if (which === "new") return
      for (const socket of sockets) silenced.add(socket)
    },
    moveTo(next) {
      target = next
      isSilent = false
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

type State = { readonly fault: () => Fault; readonly silenced: WeakSet<Socket> }

/** Forwards the upstream's responses to the client: each completely, or the first half of one. */
function joined(client: Socket, upstream: Socket, { fault, silenced }: State): Socket {
  upstream.on("data", (response: Buffer) => {
    if (silenced.has(client)) return
    if (fault() !== "cut") return void client.write(response)
    client.end(response.subarray(0, Math.floor(response.length / 2)))
    upstream.destroy()
  })
  upstream.on("close", () => {
    if (!silenced.has(client)) client.end()
  })
  return upstream
}

const PAGE = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>"
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\nconnection: close`

const ways: Record<Exclude<Fault, "hang">, (line: Line, request: Buffer) => void> = {
  pass: ({ upstream }, request) => void upstream().write(request),
  refuse: ({ client }) => void client.resetAndDestroy(),
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
