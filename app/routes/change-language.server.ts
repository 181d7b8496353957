import { redirectDocument } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Locale } from "~/domain/locales"
import { localeCookie } from "~/middleware/locale/locale.server"
import { screenHref } from "./screen-href.server"

/**
 * Stores the locale, and leads to a path without its prefix in that language, which is another document. What was filled in has to
 * be in the path, or stored.
 */
export function changeLanguage(context: RouteContext, locale: Locale, path: string): Response {
  context.set(localeContext, locale)
  const { publicUrl } = context.get(servicesContext).shop
  return redirectDocument(screenHref(context, path), {
    status: 303,
    headers: { "set-cookie": localeCookie(locale, publicUrl) },
  })
}
