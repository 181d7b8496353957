import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { RouterContextProvider } from "react-router"
import { openApiAccess } from "~/api-access.server"
import { BillingError } from "~/billing/billing"
import { BASE } from "~/domain/base-path"
import { runJobs } from "~/flows/run-jobs.server"
import { requestContext } from "~/request.server"
import { answerApi } from "~/routes/api-answer.server"
import { action as newClick } from "~/routes/resources/new-click"
import { type Services, servicesContext } from "~/services.server"

export const API_KEY = "the key of this shop, which is long enough"

export type ServedBilling = {
  readonly url: string
  /** As they are served: with an access of their own. */
  readonly services: Services
  close(): Promise<void>
}

/**
 * A shop's books as the billing API over HTTP, by the very handlers its routes have. Jobs are carried out before a
 * call is answered: a line that is paid for works by then.
 */
export async function serveBillingApi(
  shop: Services,
  { keys = [API_KEY] }: { keys?: readonly string[] } = {},
): Promise<ServedBilling> {
  const services = { ...shop, served: openApiAccess({ keys, secrets: ["s".repeat(32)] }) }
  const server = createServer((incoming, outgoing) => {
    void answered(services, incoming, outgoing).catch((error: Error) => outgoing.destroy(error))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    services,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

async function answered(services: Services, incoming: IncomingMessage, outgoing: ServerResponse) {
  const url = new URL(incoming.url ?? "/", "http://books.test")
  const method = incoming.method ?? "GET"
  const body = method === "GET" ? undefined : await buffer(incoming)
  const headers = new Headers(incoming.headers as Record<string, string>)
  const request = new Request(url, { method, headers, ...(body && { body: new Uint8Array(body) }) })
  const response = await responseTo(services, request, url)
  await settle(services)
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), date: dateOf(services) })
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

/** Books that do not answer have no jobs that could be done. */
async function settle(services: Services): Promise<void> {
  try {
    while ((await runJobs(services)) > 0);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
  }
}

function responseTo(services: Services, request: Request, url: URL): Promise<Response> {
  const address = "192.0.2.80"
  if (url.pathname === `${BASE}/aff/new_click`) return clicked(services, request, url)
  const name = url.pathname.startsWith(`${BASE}/api/`) ? url.pathname.slice(`${BASE}/api/`.length) : undefined
  return answerApi({ services, request, url, name, address, refusal: null })
}

async function clicked(services: Services, request: Request, url: URL): Promise<Response> {
  const context = new RouterContextProvider()
  context.set(servicesContext, services)
  const facts = { id: "r1", at: services.now(), address: "192.0.2.80", nonce: "n", refusal: null }
  context.set(requestContext, { ...facts, log: services.log })
  return newClick({ request, url, context, params: {}, pattern: "/aff/new_click" })
}

/** The clock that callers read is the shop's. */
function dateOf({ now }: Services): string {
  return new Date(now()).toUTCString()
}
