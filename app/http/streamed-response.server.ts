import { Readable } from "node:stream"
import { createReadableStreamFromReadable } from "@react-router/node"

const streamed = new WeakSet<Response>()

/**
 * Response whose body is sent while it is being made. A failure of the source breaks the connection, so that no client
 * takes a part for the whole.
 */
export function streamedResponse(bytes: AsyncIterable<Uint8Array>, init: ResponseInit): Response {
  const response = new Response(createReadableStreamFromReadable(Readable.from(bytes)), init)
  streamed.add(response)
  return response
}

/** Whether the body must be sent as it comes. Any other body is sent in one write. */
export function isStreamed(response: Response): boolean {
  return streamed.has(response)
}
