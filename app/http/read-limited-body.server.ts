import type { UpstreamResponse } from "./upstream-client.server"

/** The body exceeds the limit. */
export class BodyTooLargeError extends Error {
  override name = "BodyTooLargeError"
}

/** Reads a body as UTF-8 text. Throws `BodyTooLargeError` above `maxBytes` (uncompressed), `TypeError` on invalid UTF-8. */
export async function limitedText({ body }: UpstreamResponse, maxBytes: number): Promise<string> {
  // Decoded in chunks: decoding a long body in one call would block the event loop.
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const text: string[] = []
  let size = 0
  // Leaving the loop early cancels the stream, so the rest is not fetched.
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BodyTooLargeError(`Response larger than ${maxBytes} bytes`)
    text.push(decoder.decode(chunk, { stream: true }))
  }
  text.push(decoder.decode())
  return text.join("")
}
