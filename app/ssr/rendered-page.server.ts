import { gzipAroundStyle } from "./gzip-around-style.server"

/** A page that has been rendered. */
export type RenderedPage = {
  bytes(): Buffer
  /** Returns its gzip body, prepared where possible; null: it has to be compressed whole. */
  gzip(): Buffer | null
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

/** Rendered page of an HTML string. `style`: the style sheet in it, if many pages have the same. */
export function renderedHtml(html: string, style: string | null): RenderedPage {
  const bytes = Buffer.from(html)
  return { bytes: () => bytes, gzip: () => gzipAroundStyle(bytes, style) }
}

/** The whole body of a response; null if it has none. */
export async function bodyOf(response: Response): Promise<Buffer | null> {
  const page = written.get(response)
  if (page) return page.bytes()
  return response.body ? Buffer.from(await response.arrayBuffer()) : null
}

/** The gzip body of a response; null if it has to be compressed whole. */
export function gzipOf(response: Response): Buffer | null {
  return written.get(response)?.gzip() ?? null
}
