import { addAbortSignal, Readable } from "node:stream"
import { Agent, type Dispatcher } from "undici"

type Send = (request: Request) => Promise<Response>

/**
 * Sends what undici's agents request by another function, for interceptors that see `fetch` alone, such as MSW. Returns a function
 * that ends this.
 */
export function redirectAgents(send: Send): () => void {
  const original = Agent.prototype.request
  async function request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const { origin = "", path, method, headers, body } = options
    const signal = options.signal as AbortSignal
    const url = new URL(path, origin)
    const sent = new Request(url, { method, headers, body, redirect: "manual" } as RequestInit)
    const response = await Promise.race([send(sent), aborted(signal)])
    const { "content-encoding": _unpacked, ...known } = Object.fromEntries(response.headers)
    const content = addAbortSignal(signal, Readable.from(response.body ?? []))
    return { statusCode: response.status, headers: known, body: content } as Dispatcher.ResponseData
  }
  Agent.prototype.request = request as typeof original
  return () => {
    Agent.prototype.request = original
  }
}

/**
 * Rejects when the signal aborts. The signal of a `Request` refers to that of its creator weakly: a collection of garbage while nobody
 * holds the request, as while a response never comes, would lose the timeout.
 */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
