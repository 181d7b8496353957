import { MAX_CALL_MS, pool } from "./connection-pool.server"
import { UpstreamError } from "./upstream-error"

export type OutgoingMessage = {
  headers: Readonly<Record<string, string>>
  /** The exact text that was signed. */
  body: string
  timeoutMs: number
  /** Aborts the call when the server stops. */
  stop?: AbortSignal
}

/** Posts a signed message once and returns the status; the body is not read. Throws `UpstreamError`. */
export async function postMessage(url: string, message: OutgoingMessage): Promise<number> {
  const { headers, body, timeoutMs, stop } = message
  const inTime = AbortSignal.timeout(Math.min(timeoutMs, MAX_CALL_MS))
  const signal = stop ? AbortSignal.any([inTime, stop]) : inTime
  // The types of the global `fetch` lack `dispatcher`.
  const init = { method: "POST", headers, body, signal, redirect: "manual", dispatcher: pool } as RequestInit
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new UpstreamError("unavailable", `POST ${new URL(url).host} got no response`, { cause })
  })
  await response.body?.cancel()
  return response.status
}
