/** The neighbour sends more than anybody reads. */
export class BodyTooLargeError extends Error {
  override name = "TooLarge"
}

/** Reads a body as UTF-8 text. Throws `TooLarge` above `most` bytes (unpacked), a `TypeError` on other bytes. */
export async function limitedText(response: Response, maxBytes: number): Promise<string> {
  // Decoded as it comes: all at once, a long answer would hold up everybody.
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const text: string[] = []
  let size = 0
  // Leaving the loop early cancels the stream, so the rest is never fetched.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BodyTooLargeError(`More than ${maxBytes} bytes`)
    text.push(decoder.decode(chunk, { stream: true }))
  }
  text.push(decoder.decode())
  return text.join("")
}
