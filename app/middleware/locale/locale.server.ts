import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import {
  chosenLocale,
  defaultLocale,
  LANGUAGE_COOKIE,
  type Locale,
  localPath,
  withoutChosenLocale,
} from "~/domain/locales"
import { setCookie } from "~/http/cookie.server"
import { isBot } from "~/http/human-navigation.server"
import { detectLocale, rememberedLocale } from "~/i18n/detect-locale.server"

const YEAR_SECONDS = (365 * DAY) / SECOND

/**
 * Redirects a page visit without a locale prefix, with its query, to the locale chosen in the language menu, or else to
 * the best match of Accept-Language.
 */
export const locale: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  const requested = context.get(localeContext)
  const { publicUrl } = context.get(servicesContext).shop
  storeChosenLocale({ request, url, requested, publicUrl })
  const remembered = rememberedLocale(request)
  if (requested !== defaultLocale) return next()

  if (isVisit(request)) await redirectToLocale(request, url, remembered)
  const response = await next()
  const isFirst = remembered === null && isPage(response)
  if (isFirst) response.headers.append("set-cookie", localeCookie(requested, publicUrl))
  return response
}

/** Whether the request is a page visit: a POST must not lose its form data, and requests made by a page are in its language already. */
function isVisit(request: Request): boolean {
  const isFetched = !["document", null].includes(request.headers.get("sec-fetch-dest"))
  return request.method === "GET" && !isFetched
}

function isPage(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false
}

/** Redirects a page without a prefix to the visitor's locale. Bots must find every language at its own URL. */
async function redirectToLocale(request: Request, url: URL, remembered: Locale | null): Promise<void> {
  const right = await detectLocale(request)
  if (right === defaultLocale || isBot(request)) return
  const vary = remembered ? "cookie" : "accept-language, cookie"
  throw redirect(`${addressIn(right, defaultLocale, url)}${url.search}`, { headers: { vary } })
}

type Choice = {
  readonly request: Request
  readonly url: URL
  readonly requested: Locale
  readonly publicUrl: string
}

/** Handles a link of the language menu: stores the choice in a cookie and redirects to the page in that language. */
function storeChosenLocale({ request, url, requested, publicUrl }: Choice): void {
  const chosen = request.method === "GET" ? chosenLocale(url.searchParams) : null
  if (!chosen) return
  throw redirect(`${addressIn(chosen, requested, url)}${withoutChosenLocale(url.search)}`, {
    headers: { "set-cookie": localeCookie(chosen, publicUrl) },
  })
}

function addressIn(locale: Locale, requested: Locale, { pathname }: URL): string {
  const path = pathname.slice(BASE.length + requested.prefix.length) || "/"
  return `${BASE}${localPath(locale, path)}`
}

/** The cookie that stores the locale which was chosen in the language menu. */
export function localeCookie({ code }: Locale, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:")
  return setCookie({ name: LANGUAGE_COOKIE, value: code, path: BASE, maxAge: YEAR_SECONDS, secure })
}
