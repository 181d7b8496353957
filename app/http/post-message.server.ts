import { MAX_CALL_MS, sendUpstream } from "./upstream-client.server"

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
  const response = await sendUpstream({ method: "POST", url: new URL(url), headers, body }, signal)
  response.body.destroy()
  return response.status
}
