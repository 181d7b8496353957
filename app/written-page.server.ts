/** Pages as they were rendered, beside the responses that stand for them. */
const written = new WeakMap<Response, string>()

/**
 * A response for a page that is already one string. Its body does not go through a web stream on its way to the
 * socket, which would copy it twice; whoever sends the response asks for the text instead.
 */
export function pageResponse(html: string, init: ResponseInit): Response {
  const response = new Response(null, init)
  written.set(response, html)
  return response
}

/** The body of a response in one piece; null when it has none. */
export async function bodyOf(response: Response): Promise<Buffer | null> {
  const html = written.get(response)
  if (html !== undefined) return Buffer.from(html)
  return response.body ? Buffer.from(await response.arrayBuffer()) : null
}
