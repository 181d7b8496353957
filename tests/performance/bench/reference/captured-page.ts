import type { Capture, Path } from "../capture-pages"

/**
 * The shop's pages from the file that the benchmark has written, read at server start. The browser build is never
 * loaded and has no pages.
 */
const captured: Capture | null = import.meta.env.SSR
  ? JSON.parse(process.getBuiltinModule("node:fs").readFileSync(process.env.BENCH_CAPTURE ?? "", "utf8"))
  : null

/** Returns a captured page. Throws in a browser. */
export function pageOf(path: Path) {
  if (!captured) throw new Error("Only the server has the captured pages")
  return captured[path]
}

/** Returns a route's loader data for a page. */
export function dataOf<Data>(path: Path, route: string): Data {
  return pageOf(path).data[route] as Data
}
