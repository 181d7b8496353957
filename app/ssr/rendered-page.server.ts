import { gzipAroundStyle } from "./gzip-around-style.server"

/** A page that has been rendered. */
export type RenderedPage = {
  bytes(): Buffer
  /** Returns its gzip body, prepared where possible; null: it has to be compressed whole. */
  gzip(): Buffer | null
}

/**
 * Response for a rendered page. Its body does not pass through a web stream, which would copy it twice: `bodyOf` returns
 * the bytes.
 */
class PageResponse extends Response {
  constructor(
    readonly page: RenderedPage,
    init: ResponseInit,
  ) {
    super(null, init)
  }
}

/** See `PageResponse`. */
export function pageResponse(page: RenderedPage, init: ResponseInit): Response {
  return new PageResponse(page, init)
}

/** Rendered page of an HTML string. `style`: the style sheet in it, if many pages have the same. */
export function renderedHtml(html: string, style: string | null): RenderedPage {
  const bytes = Buffer.from(html)
  return { bytes: () => bytes, gzip: () => gzipAroundStyle(bytes, style) }
}

/** The whole body of a response; null if it has none. */
export async function bodyOf(response: Response): Promise<Buffer | null> {
  if (response instanceof PageResponse) return response.page.bytes()
  return response.body ? Buffer.from(await response.arrayBuffer()) : null
}

/** The gzip body of a response; null if it has to be compressed whole. */
export function gzipOf(response: Response): Buffer | null {
  return response instanceof PageResponse ? response.page.gzip() : null
}
