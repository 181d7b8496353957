import type { Readable } from "node:stream"
import { checkStatus } from "./read-response.server"
import { MAX_CALL_MS, nameOf, sendUpstream } from "./upstream-client.server"
import { UpstreamError } from "./upstream-error"

type Limits = {
  /** Maximum wait for the upstream in milliseconds, before the first bytes and between any two; at most 30 000. */
  timeoutMs: number
  /** Maximum body size in bytes. */
  maxBytes: number
  /** Number of bytes that `start` has, if the body has as many. */
  startBytes: number
}

/** A body that is still being received. `bytes` begins with `start` and throws `UpstreamError` when the upstream fails. */
export type StreamedBody = { readonly start: Buffer; readonly bytes: AsyncIterable<Uint8Array> }

/** Longest duration of a stream in milliseconds: a slow reader of a large body must not hold the upstream's connection for ever. */
const MAX_STREAM_MS = 10 * 60_000

/**
 * Fetches a URL once and returns its body as a stream, as soon as the status is 2xx and the first bytes are there. Throws
 * `UpstreamError` until then. Redirects are not followed. A reader that leaves the loop ends the request.
 */
export async function streamOf(url: URL, { timeoutMs, maxBytes, startBytes }: Limits): Promise<StreamedBody> {
  const request = { method: "GET", url, headers: {} } as const
  const name = nameOf(request)
  const stop = new AbortController()
  const inTime = within(stop, Math.min(timeoutMs, MAX_CALL_MS))
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(MAX_STREAM_MS)])
  const response = await inTime(sendUpstream(request, signal))
  await checkStatus(response, name)
  const parts = limited(response.body, { name, maxBytes, inTime })
  const first: Uint8Array[] = []
  const size = () => first.reduce((sum, { byteLength }) => sum + byteLength, 0)
  while (size() < startBytes) {
    const { done, value } = await parts.next()
    if (done) break
    first.push(value)
  }
  return { start: Buffer.concat(first).subarray(0, startBytes), bytes: joined(first, parts) }
}

async function* joined(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array, undefined>) {
  try {
    yield* first
    yield* rest
  } finally {
    // A reader may leave among the first bytes, before `rest` is reached.
    await rest.return(undefined)
  }
}

type InTime = <T>(promise: Promise<T>) => Promise<T>
type Reading = { readonly name: string; readonly maxBytes: number; readonly inTime: InTime }

async function* limited(
  body: Readable,
  { name, maxBytes, inTime }: Reading,
): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.iterator()
  let size = 0
  try {
    while (true) {
      const { done, value } = await inTime(reader.next()).catch((cause: unknown) => {
        throw new UpstreamError("unavailable", `${name} got an incomplete response`, { cause })
      })
      if (done) return
      size += value.byteLength
      if (size > maxBytes) {
        throw new UpstreamError("unreadable", `${name} got a response larger than ${maxBytes} bytes`)
      }
      yield value
    }
  } finally {
    // Ends the request, also when the reader left early.
    body.destroy()
  }
}

/** Aborts when a promise takes longer than `ms`. Only the wait for the upstream counts, not that for a slow reader. */
function within(stop: AbortController, ms: number): InTime {
  return async (promise) => {
    const timer = setTimeout(() => stop.abort(new DOMException("no data in time", "TimeoutError")), ms)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }
}
