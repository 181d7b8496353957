import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import sirv from "sirv"
import { BASE } from "~/domain/base-path"

type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

const ASSETS = `${BASE}/assets/`
/** The service worker: a browser asks every time whether there is a newer one. */
const WORKER = `${BASE}/sw.js`

/**
 * Files of the browser build, pre-compressed by the build. Names under `assets` carry a hash of their content
 * and never change; the few others (icons) are asked for again after an hour. Pages never cost a file look-up:
 * what exists is listed once, at the start.
 */
export function staticFiles(folder: string): Serve {
  if (!existsSync(folder)) return (_request, _response, next) => next()
  const serve = sirv(folder, { brotli: true, gzip: true, etag: true, setHeaders: cacheFor })
  return (request, response, next) => {
    const url = request.url ?? "/"
    if (!looksLikeFile(url)) return next()
    request.url = url.slice(BASE.length)
    // A build that is replaced under a running shop takes files away; unheard, that would end the process.
    response.once("pipe", (file) => file.once("error", () => response.destroy()))
    serve(request, response, () => {
      request.url = url
      next()
    })
  }
}

export function looksLikeFile(url: string): boolean {
  return url.startsWith(ASSETS) || /^\/checkout\/[\w-]+\.(svg|png|ico|txt)$/.test(url) || url === WORKER
}

function cacheFor(response: ServerResponse, path: string): void {
  response.setHeader("cache-control", keepingOf(path))
}

function keepingOf(path: string): string {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable"
  return path === "/sw.js" ? "no-cache" : "public, max-age=3600"
}
