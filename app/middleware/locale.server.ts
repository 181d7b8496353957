import { isbot } from "isbot"
import { data, type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import {
  bestLocale,
  chosenLocale,
  defaultLocale,
  LANGUAGE_COOKIE,
  type Locale,
  localeOfCode,
  localeOfPrefix,
  localPath,
  withoutChosenLocale,
} from "~/domain/locales"
import { cookieFrom, setCookie } from "~/http/cookie.server"
import { acceptedLanguages } from "~/i18n/accept-language.server"
import { isApiPath } from "./request-kind.server"

const YEAR_SECONDS = (365 * DAY) / SECOND

/**
 * Sets the locale from the path's prefix; an unknown prefix is 404. A page visit without a prefix is redirected, with its
 * query, to the locale chosen in the language menu, or else to the best match of Accept-Language.
 */
export const locale: MiddlewareFunction<Response> = async ({ request, url, params, context }, next) => {
  const requested = localeOfAddress(params)
  context.set(localeContext, requested ?? defaultLocale)
  if (!requested) throw data({ kind: "not-found" }, { status: 404 })

  const { publicUrl } = context.get(servicesContext).shop
  if (isApiPath(url)) return next()

  storeChosenLocale({ request, url, requested, publicUrl })
  const remembered = localeOfCode(cookieFrom(request, LANGUAGE_COOKIE) ?? "")
  if (requested !== defaultLocale) return next()

  if (isVisit(request)) redirectToLocale(request, url, remembered)
  const response = await next()
  const isFirst = remembered === null && isPage(response)
  if (isFirst) response.headers.append("set-cookie", localeCookie(requested, publicUrl))
  return response
}

/** Locale of the URL; null for an unknown prefix. A missing page uses the locale its URL begins with. */
function localeOfAddress(params: Readonly<Record<string, string | undefined>>): Locale | null {
  const { locale, "*": missing } = params
  return missing === undefined
    ? localeOfPrefix(locale)
    : (localeOfPrefix(missing.split("/", 1)[0]) ?? defaultLocale)
}

/**
 * Whether the request is a page visit by a person. Bots must find every language at its own URL, a POST must not lose its
 * form data, and requests made by a page are in its language already.
 */
function isVisit(request: Request): boolean {
  const isFetched = !["document", null].includes(request.headers.get("sec-fetch-dest"))
  return request.method === "GET" && !isFetched && !isbot(request.headers.get("user-agent"))
}

function isPage(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false
}

/** Redirects a page without a prefix to the chosen language, otherwise to the best match of Accept-Language. */
function redirectToLocale(request: Request, url: URL, chosen: Locale | null): void {
  const right = chosen ?? bestLocale(acceptedLanguages(request.headers.get("accept-language")))
  if (right === defaultLocale) return
  const vary = chosen ? "cookie" : "accept-language, cookie"
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

function localeCookie({ code }: Locale, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:")
  return setCookie({ name: LANGUAGE_COOKIE, value: code, path: BASE, maxAge: YEAR_SECONDS, secure })
}
