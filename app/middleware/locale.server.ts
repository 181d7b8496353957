import { isbot } from "isbot"
import { data, type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import { bestLocale, defaultLocale, type Locale, localeOfPrefix } from "~/domain/locales"
import { cookieFrom, setCookie } from "~/http/cookie.server"
import { languagesIn } from "~/i18n/accept-language.server"
import { isForPrograms } from "./request-kind.server"

const NAME = "browserLang"
const YEAR_SECONDS = (365 * DAY) / SECOND

/**
 * The path's prefix decides the language; an unknown prefix is a page that does not exist. A first visit without
 * a prefix goes to the browser's language, once, with its query (reference: locales, section 1).
 */
export const locale: MiddlewareFunction<Response> = async ({ request, url, params, context }, next) => {
  const asked = localeOfAddress(params)
  context.set(localeContext, asked ?? defaultLocale)
  if (!asked) throw data({ kind: "not-found" }, { status: 404 })

  const known = cookieFrom(request, NAME)
  const isFirst = known === undefined && asked === defaultLocale && !isForPrograms(url)
  const preferred = isFirst ? preferredBy(request) : asked
  if (preferred !== asked) throw toLanguage(preferred, url)

  const response = await next()
  if (known !== asked.code && isPage(response)) {
    response.headers.append("set-cookie", languageCookie(asked, context.get(servicesContext).shop.publicUrl))
  }
  return response
}

/** Null where the prefix names none. A page that does not exist says so in the language its address begins with. */
function localeOfAddress(params: Readonly<Record<string, string | undefined>>): Locale | null {
  const { locale, "*": missing } = params
  return missing === undefined
    ? localeOfPrefix(locale)
    : (localeOfPrefix(missing.split("/", 1)[0]) ?? defaultLocale)
}

/** The language to show first: the browser's, unless nobody may be moved. */
function preferredBy(request: Request): Locale {
  const preferred = bestLocale(languagesIn(request.headers.get("accept-language")))
  return preferred === defaultLocale || isFirstPage(request) ? preferred : defaultLocale
}

/**
 * Search engines must see every language at its own address, a form must not lose what was typed, and what a page
 * fetches is in the page's language already.
 */
function isFirstPage(request: Request): boolean {
  const isFetched = !["document", null].includes(request.headers.get("sec-fetch-dest"))
  return request.method === "GET" && !isFetched && !isbot(request.headers.get("user-agent"))
}

function isPage(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false
}

function toLanguage(preferred: Locale, url: URL): Response {
  const path = url.pathname.slice(BASE.length)
  return redirect(`${BASE}${preferred.prefix}${path}${url.search}`, {
    headers: { vary: "accept-language, cookie" },
  })
}

function languageCookie({ code }: Locale, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:")
  return setCookie({ name: NAME, value: code, path: BASE, maxAge: YEAR_SECONDS, secure })
}
