import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/**
 * Faults of a request. `late`: processed, answered after the client's timeout. `arrives-late`: processed only then.
 * `twice`: processed twice, the second response is returned. Faults with "after" in their name and `cut` (truncated
 * response) occur after processing; all others prevent it.
 */
export const faults = [
  "refuse",
  "hang",
  "late",
  "arrives-late",
  "cut",
  "twice",
  "nonsense",
  "nonsense-after",
  "500",
  "500-after",
] as const
export type Fault = (typeof faults)[number]

/** A request as the proxy has seen it, numbered from 0. `what`: its kind. */
export type Call = { readonly number: number; readonly what: string }

export type HttpFaultProxy = {
  readonly origin: string
  readonly calls: readonly Call[]
  /** Number of injected faults. */
  spoiled(): number
  /** Chooses the fault of each following request; null forwards it unchanged. */
  spoil(fate: (call: Call) => Fault | null): void
  /** Processes requests that arrive late, and closes the other hanging ones. */
  release(): Promise<void>
  /** Number of requests in progress, without hanging ones. */
  busy(): number
  close(): Promise<void>
}

type Held = { readonly arrive: (() => Promise<unknown>) | null; readonly response: ServerResponse }

/** Opens a proxy in front of an HTTP upstream on a free local port. */
export async function openHttpFaultProxy(target: string): Promise<HttpFaultProxy> {
  const calls: Call[] = []
  const held: Held[] = []
  let fate: (call: Call) => Fault | null = () => null
  let busy = 0
  let spoiled = 0

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const call = { number: calls.length, what: kindOf(incoming, body) }
    calls.push(call)
    const fault = fate(call)
    if (fault) spoiled++
    const deliver = () => handedOn(target, incoming, body)
    const hold = (arrive: Held["arrive"]) => void held.push({ arrive, response })
    await (fault ? ways[fault]({ deliver, response, hold }) : pass({ deliver, response, hold }))
  }

  const server = createServer((incoming, response) => {
    busy++
    carry(incoming, response)
      // A failed upstream or client connection breaks the response.
      .catch(() => response.destroy())
      .finally(() => busy--)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    spoiled: () => spoiled,
    busy: () => busy,
    spoil(next) {
      fate = next
    },
    async release() {
      for (const { arrive, response } of held.splice(0)) {
        await arrive?.().catch(() => {})
        response.destroy()
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Kind of a request: its path without ids of single payments, and the message type if all messages have one path. */
function kindOf({ method, url = "/" }: IncomingMessage, body: Buffer): string {
  const path = url.split("?", 1)[0]?.replace(/\/[^/]*[0-9a-f]{16}[^/]*/g, "/*")
  const text = body.toString()
  const type = (/"type":"(line\.[a-z]+)"/.exec(text) ?? /(?:^|&)action=(\w+)/.exec(text))?.[1]
  return [method, path, type].filter(Boolean).join(" ")
}

type Given = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer }
type Rewrite = (of: {
  deliver: () => Promise<Given>
  response: ServerResponse
  hold: (arrive: Held["arrive"]) => void
}) => unknown

const pass: Rewrite = async ({ deliver, response }) => send(response, await deliver())

const ways: Record<Fault, Rewrite> = {
  refuse: ({ response }) => response.destroy(),
  hang: ({ hold }) => hold(null),
  async late({ deliver, hold }) {
    await deliver()
    hold(null)
  },
  "arrives-late": ({ deliver, hold }) => hold(deliver),
  async cut({ deliver, response }) {
    const { status, headers, body } = await deliver()
    response.writeHead(status, { ...headers, "content-length": body.length + 1 })
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
  },
  async twice({ deliver, response }) {
    await deliver()
    send(response, await deliver())
  },
  nonsense: ({ response }) => send(response, PAGE),
  async "nonsense-after"({ deliver, response }) {
    await deliver()
    send(response, PAGE)
  },
  "500": ({ response }) => send(response, BROKEN),
  async "500-after"({ deliver, response }) {
    await deliver()
    send(response, BROKEN)
  },
}

const html = { "content-type": "text/html" }
const PAGE: Given = { status: 200, headers: html, body: Buffer.from("<!doctype html><h1>Back soon</h1>") }
const BROKEN: Given = { status: 500, headers: html, body: Buffer.from("<h1>Something went wrong</h1>") }

function send(response: ServerResponse, { status, headers, body }: Given): void {
  response.writeHead(status, headers).end(body)
}

async function handedOn(origin: string, incoming: IncomingMessage, body: Buffer): Promise<Given> {
  const {
    host: _,
    connection: _c,
    "content-length": _l,
    "transfer-encoding": _t,
    ...headers
  } = incoming.headers
  const response = await fetch(`${origin}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: headers as Record<string, string>,
    redirect: "manual",
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  const given = Object.fromEntries(response.headers)
  for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"])
    delete given[name]
  return { status: response.status, headers: given, body: Buffer.from(await response.arrayBuffer()) }
}
