/** A page that has been rendered. */
export type RenderedPage = {
  bytes(): Buffer
  /** The same as a gzip file, where that is at hand; null where it would have to be packed first. */
  readonly gzip: (() => Buffer) | null
}

/** Pages as they were rendered, beside the responses that stand for them. */
const written = new WeakMap<Response, RenderedPage>()

/**
 * A response for a page that is already there. Its body does not go through a web stream on its way to the
 * socket, which would copy it twice; whoever sends the response asks for its bytes instead.
 */
export function pageResponse(page: RenderedPage, init: ResponseInit): Response {
  const response = new Response(null, init)
  written.set(response, page)
  return response
}

/** A page that is one text. */
export function renderedHtml(html: string): RenderedPage {
  return { bytes: () => Buffer.from(html), gzip: null }
}

/** The body of a response in one piece; null when it has none. */
export async function bodyOf(response: Response): Promise<Buffer | null> {
  const page = written.get(response)
  if (page) return page.bytes()
  return response.body ? Buffer.from(await response.arrayBuffer()) : null
}

/** The body of a response as a gzip file, where that is at hand. */
export function gzipOf(response: Response): Buffer | null {
  return written.get(response)?.gzip?.() ?? null
}
