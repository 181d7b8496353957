/** A page that has been rendered. */
export type RenderedPage = {
  bytes(): Buffer
  /** Prepared gzip body; null if there is none. */
  readonly gzip: (() => Buffer) | null
}

/** Rendered pages by the response that represents them. */
const written = new WeakMap<Response, RenderedPage>()

/**
 * Response for a rendered page. Its body does not pass through a web stream, which would copy it twice: `bodyOf` returns
 * the bytes.
 */
export function pageResponse(page: RenderedPage, init: ResponseInit): Response {
  const response = new Response(null, init)
  written.set(response, page)
  return response
}

/** Rendered page of an HTML string. */
export function renderedHtml(html: string): RenderedPage {
  return { bytes: () => Buffer.from(html), gzip: null }
}

/** The whole body of a response; null if it has none. */
export async function bodyOf(response: Response): Promise<Buffer | null> {
  const page = written.get(response)
  if (page) return page.bytes()
  return response.body ? Buffer.from(await response.arrayBuffer()) : null
}

/** The prepared gzip body of a response; null if there is none. */
export function gzipOf(response: Response): Buffer | null {
  return written.get(response)?.gzip?.() ?? null
}
