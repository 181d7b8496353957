const escapes: Record<string, string> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
}

/**
 * The script that hands loader data to the browser. React Router would stream it behind the page, which needs
 * the slower streaming render; all our data is there before rendering begins, so it is written in one piece.
 */
export async function renderHydrationScript(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  if (!stream) return ""
  const decoder = new TextDecoder()
  let text = ""
  for await (const piece of stream) text += decoder.decode(piece, { stream: true })
  const controller = "window.__reactRouterContext.streamController"
  return `${controller}.enqueue("${written(text)}");${controller}.close();`
}

/** A text of the loader data as it stands in that script: written as data, and the data as a text of a script. */
export function escapeForHydration(text: string): string {
  return written(JSON.stringify(text).slice(1, -1))
}

/** Between the quotes of a script in a page. */
function written(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, (sign) => escapes[sign] ?? sign)
}
