import type { IncomingMessage } from "node:http"
import { bestLocale, type Locale, localeOfPrefix } from "~/domain/locales"
import { acceptedLanguages } from "~/i18n/accept-language.server"
import type { PaymentDetails } from "./payment"

/** Language of a page: the payment's if the shop named it, else the browser's `Accept-Language`, else English. */
export function pageLocale(request: IncomingMessage, named: string | null): Locale {
  return bestLocale([...(named ? [named] : []), ...acceptedLanguages(request.headers["accept-language"])])
}

/**
 * Language tag of a payment; null if unknown. Some protocols have no member for it, so it is derived from the locale
 * prefix in the path of the return URL.
 */
export function paymentLocaleTag({
  locale,
  returnUrl,
}: Pick<PaymentDetails, "locale" | "returnUrl">): string | null {
  if (locale !== null) return locale
  const [, , prefix] = new URL(returnUrl).pathname.split("/")
  return prefix ? (localeOfPrefix(prefix)?.iso ?? null) : null
}
