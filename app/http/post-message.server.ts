import { MAX_CALL_MS, pool } from "./connection-pool.server"
import { UpstreamError } from "./upstream-error"

export type OutgoingMessage = {
  headers: Readonly<Record<string, string>>
  /** The very text that was signed. */
  body: string
  timeoutMs: number
  /** Gives the call up early, for a server that is stopping. */
  stop?: AbortSignal
}

/** Posts a signed message once and gives the status; what else is answered is not read. Throws a `NeighbourError`. */
export async function postMessage(url: string, message: OutgoingMessage): Promise<number> {
  const { headers, body, timeoutMs, stop } = message
  const inTime = AbortSignal.timeout(Math.min(timeoutMs, MAX_CALL_MS))
  const signal = stop ? AbortSignal.any([inTime, stop]) : inTime
  // The types of the global `fetch` do not know `dispatcher`.
  const init = { method: "POST", headers, body, signal, redirect: "manual", dispatcher: pool } as RequestInit
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new UpstreamError("unavailable", `POST ${new URL(url).host} got no answer`, { cause })
  })
  await response.body?.cancel()
  return response.status
}
