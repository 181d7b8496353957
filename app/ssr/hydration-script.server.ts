const escapes: Record<string, string> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
}

/**
 * The script that passes loader data to the browser for hydration. React Router would stream it after the page, which
 * needs the slower streaming render. All data is loaded before rendering starts, so one script holds it.
 */
export async function renderHydrationScript(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  if (!stream) return ""
  const decoder = new TextDecoder()
  let text = ""
  for await (const part of stream) text += decoder.decode(part, { stream: true })
  const controller = "window.__reactRouterContext.streamController"
  return `${controller}.enqueue("${written(text)}");${controller}.close();`
}

/** Escapes a string of the loader data as it appears in that script: as JSON within a JavaScript string. */
export function escapeForHydration(text: string): string {
  return written(JSON.stringify(text).slice(1, -1))
}

/** Escapes a text for a JavaScript string in an inline script. */
function written(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, (sign) => escapes[sign] ?? sign)
}
