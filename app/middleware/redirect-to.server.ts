import { redirect } from "react-router"
import { BASE } from "~/domain/base-path"
import { type Locale, localPath } from "~/domain/locales"
import { queryText } from "~/domain/query-text"

/** React Router adds the basename to a loader's redirect but not to a middleware's, so guards add it here. */
export function redirectTo(locale: Locale, path: string, query?: string): Response {
  const address = `${BASE}${localPath(locale, path)}`
  return redirect(query === undefined ? address : `${address}?${query}`, 303)
}

/** The path of the visited URL, to redirect to: two slashes at its start would be another host. */
export function ownPath({ pathname }: URL): string {
  return pathname.replace(/^\/+/, "/")
}

/** Path and query of the visited URL without some of its parameters, to redirect to. */
export function pathWithout(url: URL, parameters: readonly string[]): string {
  const rest = new URLSearchParams(url.searchParams)
  for (const name of parameters) rest.delete(name)
  return ownPath(url) + queryText(rest)
}
