import { redirect } from "react-router"
import { BASE } from "~/domain/base-path"
import { type Locale, localPath } from "~/domain/locales"

/** React Router adds the basename to a loader's redirect but not to a middleware's, so guards add it here. */
export function redirectTo(locale: Locale, path: string, query?: string): Response {
  const address = `${BASE}${localPath(locale, path)}`
  return redirect(query === undefined ? address : `${address}?${query}`, 303)
}
