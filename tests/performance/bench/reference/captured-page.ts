import type { Capture, Path } from "../capture-pages"

/**
 * The shop's pages, out of the file that the bench has written. It is read while the server starts; the browser
 * build, which nobody loads, goes without.
 */
const captured: Capture | null = import.meta.env.SSR
  ? JSON.parse(process.getBuiltinModule("node:fs").readFileSync(process.env.BENCH_CAPTURE ?? "", "utf8"))
  : null

/** A page of the shop. Throws in a browser. */
export function pageOf(path: Path) {
  if (!captured) throw new Error("Only the server has the captured pages")
  return captured[path]
}

/** What the loader of a route gave for a page. */
export function dataOf<Data>(path: Path, route: string): Data {
  return pageOf(path).data[route] as Data
}
