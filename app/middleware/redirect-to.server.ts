import { redirect } from "react-router"
import { BASE } from "~/domain/base-path"
import type { Locale } from "~/domain/locales"

/** React Router adds the basename to a loader's redirect but not to a middleware's, so guards add it here. */
export function redirectTo({ prefix }: Locale, path: string): Response {
  return redirect(`${BASE}${prefix}${path}`, 303)
}
