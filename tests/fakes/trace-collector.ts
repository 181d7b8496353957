import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"

/** Accepts traces as a collector does and stores the raw bodies, in which texts are searchable. */
export async function startTraceCollector() {
  const received: Buffer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    const body = Buffer.concat(chunks)
    if (request.url === "/v1/traces")
      received.push(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body)
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => Buffer.concat(received),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
