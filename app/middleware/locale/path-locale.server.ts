import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { defaultLocale, localeInPath } from "~/domain/locales"

/** Sets the locale from the path's prefix; without one that the shop knows, the default. */
export const pathLocale: MiddlewareFunction<Response> = ({ url, context }) => {
  context.set(localeContext, localeInPath(url.pathname) ?? defaultLocale)
}
