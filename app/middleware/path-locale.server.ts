import { data, type MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { defaultLocale, localeInPath, localeOfPrefix } from "~/domain/locales"

/** Sets the locale from the path's prefix; an unknown prefix is 404, since `:locale?` matches any first segment. */
export const pathLocale: MiddlewareFunction<Response> = ({ url, params, context }) => {
  context.set(localeContext, localeInPath(url.pathname) ?? defaultLocale)
  if (localeOfPrefix(params.locale) === null) throw data({ kind: "not-found" }, { status: 404 })
}
