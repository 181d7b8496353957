import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { type Access, handleApiRequest } from "./api"
import type { Installation } from "./installation"
import { text } from "./params"
import { type Fields, parsePhpForm } from "./php-form"
import { click } from "./system"
import { asXml } from "./xml"

/** A call that was processed or denied, as received; credentials are omitted. */
export type Call = { readonly action: string; readonly params: Readonly<Record<string, unknown>> }

export type Site = {
  readonly installation: Installation
  readonly access: Access
  readonly calls: Call[]
  /** "" or the path of the installation, for example "/billing". */
  readonly path: string
  /** Handles pages that WHMCS does not have, for tests in another process. Returns null for all others. */
  readonly sideHandler: ((request: IncomingMessage, body: string) => unknown) | null
}

const SECRETS = ["identifier", "secret", "username", "password", "accesskey", "responsetype", "action"]
/** Status of the page that comes instead of every response, by quirk. */
const PAGE_STATUSES = new Map([
  ["page", 200],
  ["error", 502],
])
const PAGE = "<!DOCTYPE html><html><head><title>WHMCS</title></head><body><h1>Install</h1></body></html>"
const WARNING =
  "<br />\n<b>Warning</b>:  Undefined array key in <b>/includes/api.php</b> on line <b>1</b><br />\n"

/** Serves an installation on a local address. */
export async function serve(site: Site, { port }: { port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    respond(site, request, response).catch(() => response.destroy())
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return server
}

async function respond(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const url = new URL(request.url ?? "/", "http://whmcs.example.test")
  const other = site.sideHandler?.(request, body) ?? null
  if (other !== null) return void json(response, 200, JSON.stringify(other))
  const { quirks, clock } = site.installation
  if (quirks.down) return void request.socket.destroy()
  response.setHeader("date", new Date(clock.now()).toUTCString())
  if (url.pathname === `${site.path}/aff.php`) return followed(site, url, response)
  if (url.pathname !== `${site.path}/includes/api.php`) return page(response, 404)
  const replaced = PAGE_STATUSES.get(quirks.html)
  if (replaced !== undefined) return page(response, replaced)
  await api(site, request, response, parsePhpForm(request.method === "POST" ? body : ""))
}

async function api(
  { installation, access, calls }: Site,
  request: IncomingMessage,
  response: ServerResponse,
  params: Fields,
): Promise<void> {
  const action = text(params, "action")
  calls.push({ action, params: plain(params, SECRETS) })
  const carriedOut = await installation.quirks.heldNow(action, () => request.socket.destroy())
  const { status, body } = handleApiRequest(installation, access, {
    params,
    caller: request.socket.remoteAddress ?? "",
  })
  carriedOut()
  // A calculation changes nothing: the response that matters is that of the order.
  const isLost = params.get("calconly") !== "1" && installation.quirks.losesNow(action)
  if (installation.quirks.slowMs > 0) await pause(installation.quirks.slowMs)
  if (isLost) return void request.socket.destroy()
  if (text(params, "responsetype") !== "json") {
    response.writeHead(status, { "content-type": "application/xml" })
    return void response.end(asXml(action, body))
  }
  json(response, status, `${installation.quirks.html === "warning" ? WARNING : ""}${JSON.stringify(body)}`)
}

/** Counts the click and redirects the visitor to the shop with a cookie. */
function followed({ installation, path }: Site, url: URL, response: ServerResponse): void {
  const id = url.searchParams.get("aff") ?? ""
  const expires = new Date(installation.clock.now() + 90 * 86_400_000).toUTCString()
  if (click(installation, id))
    response.setHeader("set-cookie", `WHMCSAffiliateID=${id}; expires=${expires}; path=/`)
  response.writeHead(302, { location: `${path}/index.php` }).end()
}

function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(text)
}

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(PAGE)
}

function plain(fields: Fields, without: readonly string[] = []): Record<string, unknown> {
  const remaining = [...fields].filter(([name]) => !without.includes(name))
  return Object.fromEntries(
    remaining.map(([name, field]) => [name, typeof field === "string" ? field : plain(field)]),
  )
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ""
  for await (const part of request.setEncoding("utf8")) body += part
  return body
}
