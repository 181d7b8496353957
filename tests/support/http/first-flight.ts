import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import { constants, gunzipSync } from "node:zlib"
import { BROWSER_AGENT } from "../browser/page-actions"

/** What a server may send before the browser's first acknowledgement: ten segments (RFC 6928), with the headers. */
export const FIRST_FLIGHT = 14_600

/** A compressed page with its headers, as a browser gets it. Throws if the answer is no page. */
export async function compressedPage(origin: string, path: string, cookie: string | null): Promise<Buffer> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  const headers = [
    `host: ${host}`,
    "accept: text/html",
    "accept-encoding: gzip, br",
    `user-agent: ${BROWSER_AGENT}`,
    "connection: close",
    ...(cookie === null ? [] : [`cookie: ${cookie}`]),
  ]
  socket.write([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n"))
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part)
  const answer = Buffer.concat(parts)
  if (!/^HTTP\/1\.1 200 [\s\S]*?content-encoding: (gzip|br)\r\n/i.test(answer.toString("latin1")))
    throw new Error(`No compressed page at ${path}: ${answer.toString("latin1").slice(0, 200)}`)
  return answer
}

/** What a browser can read of a page before it has acknowledged anything. The page is compressed with gzip. */
export function readFirstFlight(answer: Buffer): string {
  const body = answer.subarray(answer.indexOf("\r\n\r\n") + 4, FIRST_FLIGHT)
  return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
}

/** Opens a shop whose page at a path stops after the first flight until `release`; everything else is passed on. */
export async function holdAfterFirstFlight(origin: string, path: string, answer: Buffer) {
  const { hostname, port } = new URL(origin)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = createServer((client) => {
    client.on("error", () => client.destroy())
    client.once("data", async (request) => {
      if (request.toString("latin1").startsWith(`GET ${path} `)) {
        client.write(answer.subarray(0, FIRST_FLIGHT))
        await released
        client.end(answer.subarray(FIRST_FLIGHT))
        return
      }
      const upstream = connect({ host: hostname, port: Number(port) }).on("error", () => client.destroy())
      upstream.write(request)
      client.pipe(upstream).pipe(client)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, release, close: () => server.close() }
}
