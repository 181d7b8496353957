import type { IncomingMessage } from "node:http"
import Negotiator from "negotiator"
import { RemixI18Next } from "remix-i18next/server"
import {
  defaultLocale,
  LANGUAGE_COOKIE,
  type Locale,
  localeInPath,
  localeOfCode,
  localeOfIso,
  locales,
} from "~/domain/locales"
import { cookieFrom } from "~/http/cookie.server"

/** Regions with British English; the other languages do not depend on the region. */
const british = ["en-AU", "en-IE", "en-IN", "en-MT", "en-NZ", "en-SG", "en-ZA"]

/**
 * The order is the shop's own. remix-i18next's own matching would prefer a later exact tag to an earlier language
 * (`en-US, de` would be German), so `findLocale` returns a supported tag. The package's middleware is not used, since it
 * creates an i18next instance for every request.
 */
const detector = new RemixI18Next({
  detection: {
    supportedLanguages: locales.map(({ iso }) => iso),
    fallbackLanguage: defaultLocale.iso,
    order: ["custom"],
    findLocale: async (request) =>
      selectLocale({
        pathname: new URL(request.url).pathname,
        remembered: rememberedLocale(request),
        languages: request.headers.get("accept-language"),
      })?.iso ?? null,
  },
})

/** `remembered`: locale of the language cookie. `languages`: the Accept-Language header. */
type Preferences = { pathname: string; remembered: Locale | null; languages: string | null }

/**
 * The rule, which a page kept in memory needs without a `Request`: making one takes a third of its time. Locale of the URL's
 * prefix, or else of the cookie, or else the best match of Accept-Language; null without any.
 */
export function selectLocale({ pathname, remembered, languages }: Preferences): Locale | null {
  return localeInPath(pathname) ?? remembered ?? acceptedLocale(languages)
}

/** Locale of the URL's prefix, or else of the cookie, or else the best match of Accept-Language, or else the default. */
export async function detectLocale(request: Request): Promise<Locale> {
  return localeOfIso(await detector.getLocale(request))
}

/** Detects the locale before a `Request` exists. The request's target may be no valid path. */
export function detectIncomingLocale({
  url = "/",
  headers: { cookie = "", "accept-language": languages = "" },
}: Pick<IncomingMessage, "url" | "headers">): Promise<Locale> {
  const address = `http://localhost${url.startsWith("/") ? url : "/"}`
  return detectLocale(new Request(address, { headers: { cookie, "accept-language": languages } }))
}

/** Locale of the language cookie; null if missing or unknown. */
export function rememberedLocale(request: Request): Locale | null {
  return localeOfCode(cookieFrom(request, LANGUAGE_COOKIE) ?? "")
}

/** Locale of the first accepted language that the shop has, in order of preference; null if it has none. */
function acceptedLocale(header: string | null): Locale | null {
  const tags = header ? new Negotiator({ headers: { "accept-language": header } }).languages() : []
  return tags.map(localeOfTag).find((locale) => locale !== null) ?? null
}

/** Exact match of a tag, or else of its language. */
function localeOfTag(tag: string): Locale | null {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (british.some((it) => same(it, tag))) return localeOfIso("en-GB")
  const language = tag.split("-", 1)[0] ?? ""
  const exact = locales.find(({ iso }) => same(iso, tag))
  return exact ?? locales.find(({ iso }) => same(iso.split("-", 1)[0] ?? "", language)) ?? null
}
