import { Readable } from "node:stream"
import { Agent, type Dispatcher } from "undici"

type Send = (request: Request) => Promise<Response>

/**
 * Sends what undici's agents request by another function, for interceptors that see `fetch` alone, such as MSW. Returns a function
 * that ends this.
 */
export function redirectAgents(send: Send): () => void {
  const original = Agent.prototype.request
  async function request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const { origin = "", path, method, headers, body, signal } = options
    const url = new URL(path, origin)
    const response = await send(
      new Request(url, { method, headers, body, signal, redirect: "manual" } as RequestInit),
    )
    const { "content-encoding": _unpacked, ...known } = Object.fromEntries(response.headers)
    const content = Readable.from(response.body ?? [])
    return { statusCode: response.status, headers: known, body: content } as Dispatcher.ResponseData
  }
  Agent.prototype.request = request as typeof original
  return () => {
    Agent.prototype.request = original
  }
}
