import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import sirv from "sirv"
import { BASE } from "~/domain/base-path"

/** Whether it answers the request. */
type Serve = (request: IncomingMessage, response: ServerResponse) => boolean

const ASSETS = `${BASE}/assets/`
/** The service worker: a browser asks every time whether there is a newer one. */
const WORKER = `${BASE}/sw.js`

/**
 * Files of the browser build, pre-compressed by the build. Names under `assets` carry a hash of their content
 * and never change; the few others (icons) are asked for again after an hour. Pages never cost a file look-up:
 * what exists is listed once, at the start. What is no file under `assets` is 404 without a page: programs alone ask
 * for it, and it costs nobody's time.
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
      // A build that is replaced under a running shop takes files away; unheard, that would end the process.
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
  return url.startsWith(ASSETS) || /^\/checkout\/[\w-]+\.(svg|png|ico|txt)$/.test(url) || url === WORKER
}

function cacheFor(response: ServerResponse, path: string): void {
  response.setHeader("cache-control", keepingOf(path))
}

function keepingOf(path: string): string {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable"
  return path === "/sw.js" ? "no-cache" : "public, max-age=3600"
}
