import { setTimeout as pause } from "node:timers/promises"
import { z } from "zod"
import { limitedText, TooLarge } from "./limited-body.server"
import { NeighbourError } from "./neighbour-error"
import { LONGEST_CALL, pool } from "./pool.server"

const LARGEST_ANSWER = 1024 * 1024
const PAUSES_MS = [200, 1_000]

export type Neighbour = {
  url: string
  headers?: Readonly<Record<string, string>>
  /** For one call with all its repeats, in milliseconds; never more than 30 000. */
  timeoutMs?: number
  /** How long to wait before each repeat, in milliseconds; as many repeats as there are pauses. */
  pausesMs?: readonly number[]
}

export type JsonClient = {
  get<T>(path: string, as: z.ZodType<T>): Promise<T>
  /** With an idempotency key the call may be repeated; without one it is made once. */
  post<T>(path: string, call: { body: unknown; as: z.ZodType<T>; idempotencyKey?: string }): Promise<T>
}

type Call = { name: string; url: URL; init: RequestInit; pauses: readonly number[] }

/**
 * Talks JSON to one neighbour; paths are relative to its URL. Every failure is a `NeighbourError`. Repeats what
 * is safe to repeat after transport failures, 429 and 5xx. Redirects are not followed.
 */
export function jsonClient(neighbour: Neighbour): JsonClient {
  const base = neighbour.url.endsWith("/") ? neighbour.url : `${neighbour.url}/`
  const timeoutMs = Math.min(neighbour.timeoutMs ?? LONGEST_CALL, LONGEST_CALL)
  const pauses = neighbour.pausesMs ?? PAUSES_MS

  function call(path: string, init: RequestInit & { method: string }, repeatable: boolean): Call {
    const url = new URL(path, base)
    return {
      name: `${init.method} ${url.host}${url.pathname}`,
      url,
      init: { ...init, headers: { accept: "application/json", ...neighbour.headers, ...init.headers } },
      pauses: repeatable ? pauses : [],
    }
  }

  async function send<T>(wanted: Call, as: z.ZodType<T>): Promise<T> {
    const text = await answerInTime(wanted, AbortSignal.timeout(timeoutMs))
    return understood(wanted, text, as)
  }

  return {
    get: (path, as) => send(call(path, { method: "GET" }, true), as),
    post(path, { body, as, idempotencyKey }) {
      const headers = {
        "content-type": "application/json",
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      }
      const init = { method: "POST", headers, body: JSON.stringify(body) }
      return send(call(path, init, idempotencyKey !== undefined), as)
    },
  }
}

/** One signal for all tries: the caller's time is what counts, not the number of tries. */
async function answerInTime(call: Call, signal: AbortSignal): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await answer(call, signal)
    } catch (error) {
      const wait = call.pauses[tries]
      const later = error instanceof NeighbourError && error.kind === "unavailable"
      if (!later || wait === undefined || signal.aborted) throw error
      await pause(wait, undefined, { signal }).catch(() => Promise.reject(error))
    }
  }
}

async function answer({ name, url, init }: Call, signal: AbortSignal): Promise<string> {
  // The global `fetch` and not undici's own: tests see only the global one. Its types do not know `dispatcher`.
  const options = { ...init, signal, redirect: "manual", dispatcher: pool } as RequestInit
  const response = await fetch(url, options).catch((cause: unknown) => {
    throw new NeighbourError("unavailable", `${name} got no answer`, { cause })
  })
  if (!response.ok) {
    await response.body?.cancel()
    const { status } = response
    throw new NeighbourError(failureOf(status), `${name} answered ${status}`, { status })
  }
  return limitedText(response, LARGEST_ANSWER).catch((cause: unknown) => {
    throw new NeighbourError(brokenBody(cause), `${name} gave no whole answer`, { cause })
  })
}

/** A redirect is no answer: following it would take our request to somebody else. */
function failureOf(status: number) {
  if (status === 429 || status >= 500) return "unavailable"
  return status >= 400 ? "refused" : "unreadable"
}

function brokenBody(cause: unknown) {
  const nonsense = cause instanceof TooLarge || (cause instanceof TypeError && isBadText(cause))
  return nonsense ? "unreadable" : "unavailable"
}

/** A connection that breaks and bytes that are not UTF-8 are both a `TypeError`; only the latter has a code. */
function isBadText(error: TypeError): boolean {
  return "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
}

function understood<T>({ name }: Call, text: string, as: z.ZodType<T>): T {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch (cause) {
    throw new NeighbourError("unreadable", `${name} did not answer in JSON`, { cause })
  }
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new NeighbourError("unreadable", `${name} answered nonsense: ${z.prettifyError(cause)}`, { cause })
}
