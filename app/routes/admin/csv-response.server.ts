import { streamedResponse } from "~/http/streamed-response.server"

/** The lines of a CSV file as a download, which is written while they are read. */
export function csvResponse(name: string, lines: AsyncIterable<string>): Response {
  return streamedResponse(bytesOf(lines), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
    },
  })
}

const CHUNK = 64 * 1024

/** Lines in larger pieces: each becomes a write to the socket. */
async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ""
  for await (const line of lines) {
    text += line
    if (text.length < CHUNK) continue
    yield encoder.encode(text)
    text = ""
  }
  yield encoder.encode(text)
}
