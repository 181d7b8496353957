import { request as httpRequest, type IncomingHttpHeaders } from "node:http"

type Sent = {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

export type RawResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request unchanged: `fetch` would normalize the path and refuse some headers of attackers. */
export function rawRequest(
  origin: string,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () => {
        const { statusCode = 0 } = response
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(parts).toString() })
      })
      response.on("error", reject)
    })
    request.on("error", reject)
    request.end(body)
  })
}
