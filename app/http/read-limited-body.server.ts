/** The neighbour sends more than anybody reads. */
export class TooLarge extends Error {
  override name = "TooLarge"
}

/** Reads a body as UTF-8 text. Throws `TooLarge` above `most` bytes (unpacked), a `TypeError` on other bytes. */
export async function limitedText(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream, so the rest is never fetched.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw new TooLarge(`More than ${most} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks))
}
