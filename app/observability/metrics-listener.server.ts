import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { SECOND } from "~/domain/calendar"

/** Address where Prometheus scrapes the metrics; never a public one. */
export type MetricsAddress = { readonly host: string; readonly port: number }

/** The metrics page, rendered for every scrape. */
type Page = { readonly type: string; readonly text: () => Promise<string> }

const PATH = "/metrics"

/** Serves the metrics page on a separate address. Throws if the address is in use. */
export async function openMetricsPort(
  { host, port }: MetricsAddress,
  page: Page,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => void handle(request, response, page))
  server.requestTimeout = 10 * SECOND
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new Error(`Cannot listen on METRICS_PORT ${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, () => resolve())
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { type, text }: Page,
): Promise<void> {
  if (method !== "GET" || url.split("?", 1)[0] !== PATH) return void response.writeHead(404).end()
  try {
    const shown = await text()
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(shown)
  } catch {
    response.writeHead(500).end()
  }
}
