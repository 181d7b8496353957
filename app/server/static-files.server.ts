import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import sirv from "sirv"
import { BASE } from "~/domain/base-path"

/** Returns whether it answered the request. */
type Serve = (request: IncomingMessage, response: ServerResponse) => boolean

const ASSETS = `${BASE}/assets/`
/** The service worker is revalidated on every load. */
const WORKER = `${BASE}/sw.js`
/** Icons and the like. */
const OTHERS = new RegExp(`^${BASE}/[\\w-]+\\.(svg|png|ico|txt)$`)

/**
 * Files of the browser build, pre-compressed by the build. Names under `assets` carry a hash of their content
 * and are immutable; the few others (icons) expire after an hour. The files are listed once at start-up, so pages cost no
 * file look-up. A file is sent whole, whatever part of it is asked for. A missing file under `assets` is a bare 404 without a
 * page, since only scripts request it.
 */
export function staticFiles(folder: string): Serve {
  if (!existsSync(folder)) return () => false
  const serve = sirv(folder, { brotli: true, gzip: true, etag: true, setHeaders: cacheFor })
  return (request, response) => {
    const { url = "/", method } = request
    if (!looksLikeFile(url)) return false
    let isFile = method === "GET" || method === "HEAD"
    if (isFile) {
      request.url = url.slice(BASE.length)
      // A part that ends before it begins makes sirv throw. No browser asks for parts of such small files.
      delete request.headers.range
      // Replacing the build under a running shop removes files; an unhandled stream error would end the process.
      response.once("pipe", (file) => file.once("error", () => response.destroy()))
      serve(request, response, () => {
        isFile = false
      })
      request.url = url
    }
    if (isFile || !url.startsWith(ASSETS)) return isFile
    response.writeHead(404).end()
    return true
  }
}

function looksLikeFile(url: string): boolean {
  return url.startsWith(ASSETS) || OTHERS.test(url) || url === WORKER
}

function cacheFor(response: ServerResponse, path: string): void {
  response.setHeader("cache-control", toCacheControl(path))
}

function toCacheControl(path: string): string {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable"
  return path === "/sw.js" ? "no-cache" : "public, max-age=3600"
}
