import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { oldCalls } from "./legacy-billing-endpoints"
import { LegacyStore } from "./legacy-billing-store"

/** `lost`: processed, then the connection is closed without a response. `hang`: no response. A number: that status. */
export type OldFault = "lost" | "hang" | "html" | "nonsense" | number

export type LegacyRequest = {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly bearer: string | null
  readonly key: string | null
}

export type OldBilling = {
  readonly url: string
  readonly store: LegacyStore
  /** All requests in order of arrival. */
  readonly requests: LegacyRequest[]
  /** Injects faults into the next responses of a call, in order. */
  spoil(path: string, ...faults: OldFault[]): void
  close(): Promise<void>
}

/**
 * Opens a legacy billing server: the calls of the specification (Billing API) and nothing else, without API keys and extensions. Customers'
 * calls need that customer's Bearer token.
 */
export async function openOldBilling(): Promise<OldBilling> {
  const store = new LegacyStore()
  const requests: LegacyRequest[] = []
  const faults = new Map<string, OldFault[]>()
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const one = await requestOf(request)
    requests.push(one)
    const fault = faults.get(one.path)?.shift()
    if (fault !== undefined && fault !== "lost") return void sendFault(fault, response)
    const { status, body } = execute(store, one)
    if (fault === "lost") return void request.socket.destroy()
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("The old billing server has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    store,
    requests,
    spoil: (path, ...more) => void faults.set(path, [...(faults.get(path) ?? []), ...more]),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function sendFault(fault: Exclude<OldFault, "lost">, response: ServerResponse) {
  if (typeof fault === "number") response.writeHead(fault).end()
  if (fault === "html") response.end("<!doctype html><h1>Maintenance</h1>")
  if (fault === "nonsense") response.end('{"nobody":["knows",null]}')
}

function execute(store: LegacyStore, one: LegacyRequest) {
  const call = oldCalls[one.path]
  if (call?.method !== one.method) return { status: 404, body: { message: "Not found" } }
  const clientId = store.tokens.get(one.bearer ?? "") ?? null
  if (call.needsToken && !belongsToCustomer(clientId, one))
    return { status: 401, body: { error: "Unauthorized" } }
  return { status: 200, body: call.handler(store, one) }
}

function belongsToCustomer(clientId: string | null, { params }: LegacyRequest): boolean {
  return clientId !== null && [undefined, clientId].includes(params.clientid ?? params.userid)
}

async function requestOf(request: IncomingMessage): Promise<LegacyRequest> {
  const { method = "", headers } = request
  const url = new URL(request.url ?? "/", "http://old.test")
  const body = await text(request)
  const sent = body === "" ? Object.fromEntries(url.searchParams) : JSON.parse(body)
  const params = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
  const bearer = headers.authorization?.replace(/^Bearer /, "") ?? null
  const key = headers["x-api-key"]
  return {
    method,
    path: url.pathname.replace(/^\/checkout\/api/, ""),
    params,
    bearer,
    key: String(key ?? "") || null,
  }
}
