import { redirectDocument } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Locale } from "~/domain/locales"
import { localeCookie } from "~/middleware/locale/locale.server"
import { screenHref } from "./screen-href.server"

/** Where a change of the language leads: a path without prefix, and what was filled in, unless that is stored. */
type Page = { readonly path: string; readonly query: string }

/** Stores the locale, and leads to a page in that language, which is another document. */
export function changeLanguage(context: RouteContext, locale: Locale, { path, query }: Page): Response {
  context.set(localeContext, locale)
  const { publicUrl } = context.get(servicesContext).shop
  return redirectDocument(screenHref(context, path) + query, {
    status: 303,
    headers: { "set-cookie": localeCookie(locale, publicUrl) },
  })
}
