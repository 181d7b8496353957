import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type HeldCall, heldCall } from "./held-call"

export type LosingProxy = {
  readonly url: string
  /** Processes the next request whose path contains this text, and closes the connection instead of responding. */
  loseNext(path: string): void
  /**
   * Holds the next request whose path contains this text until the test releases it. `resets`: its connection is closed as soon as it
   * has arrived.
   */
  holdNext(path: string, how?: { resets?: boolean }): HeldCall
  /** Makes the server unreachable, or reachable again. */
  away(isAway: boolean): void
  close(): Promise<void>
}

/** Opens a proxy in front of a server that drops its responses on request. */
export async function openResponseDroppingProxy(target: string): Promise<LosingProxy> {
  let lost: string | null = null
  let isAway = false
  let held: { path: string; call: ReturnType<typeof heldCall>; resets: boolean } | null = null
  async function heldNow({ url = "", socket }: IncomingMessage): Promise<() => void> {
    if (held === null || !url.includes(held.path)) return () => {}
    const { call, resets } = held
    held = null
    if (resets) socket.destroy()
    return call.wait()
  }
  const server = createServer(async (incoming, answer) => {
    if (isAway) return void incoming.socket.destroy()
    const isLost = lost !== null && incoming.url?.includes(lost)
    if (isLost) lost = null
    // The body is read before the wait, because the client may disconnect meanwhile.
    const body = await bodyOf(incoming)
    const goneOn = await heldNow(incoming)
    const response = await handedOn(target, incoming, body)
    goneOn()
    if (isLost) return void incoming.socket.destroy()
    await handBack(response, answer)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNext: (path) => {
      lost = path
    },
    holdNext(path, { resets = false } = {}) {
      const call = heldCall()
      held = { path, call, resets }
      return call
    },
    away: (away) => {
      isAway = away
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const body: Buffer[] = []
  for await (const part of incoming) body.push(part as Buffer)
  return Buffer.concat(body)
}

async function handedOn(target: string, incoming: IncomingMessage, body: Buffer): Promise<Response> {
  const { host: _, connection: _c, "content-length": _l, ...headers } = incoming.headers
  return fetch(`${target}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: headers as Record<string, string>,
    redirect: "manual",
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
}

async function handBack(response: Response, received: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  delete headers["content-encoding"]
  delete headers["content-length"]
  delete headers["transfer-encoding"]
  received.writeHead(response.status, headers).end(Buffer.from(await response.arrayBuffer()))
}
