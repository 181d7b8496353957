// Executed by Node directly: imports Node's built-in modules only.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { Capture, Sent } from "./capture-pages"

type CapturedResponse = { headers: Sent["headers"]; body: Buffer }

const capture: Capture = JSON.parse(readFileSync(process.env.BENCH_CAPTURE ?? "", "utf8"))
const cachedResponses = new Map(
  Object.entries(capture).flatMap(([path, { sent }]) =>
    Object.entries(sent).map(([encoding, it]) => [path + encoding, cachedResponse(it)] as const),
  ),
)

/** Sends the headers and bytes of the shop's response without computing anything. */
createServer((request, response) => {
  const found = cachedResponses.get(`${request.url}${request.headers["accept-encoding"] ?? ""}`)
  if (found) response.writeHead(200, found.headers).end(found.body)
  else response.writeHead(404).end()
}).listen(Number(process.env.PORT), "127.0.0.1")

function cachedResponse({ headers, body }: Sent): CapturedResponse {
  const bytes = Buffer.from(body, "base64")
  return { headers: { ...headers, "content-length": String(bytes.length) }, body: bytes }
}
