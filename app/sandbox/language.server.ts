import type { IncomingMessage } from "node:http"
import { bestLocale, type Locale, localeOfPrefix } from "~/domain/locales"
import { languagesIn } from "~/i18n/accept-language.server"
import type { PaymentDetails } from "./payment"

/** The language the shop named for this payment, else the one the browser prefers, else English. */
export function languageFor(request: IncomingMessage, named: string | null): Locale {
  return bestLocale([...(named ? [named] : []), ...languagesIn(request.headers["accept-language"])])
}

/**
 * The language of a payment; null when nothing tells it. Some protocols have no place to name one, but the address to
 * which the buyer returns has our shops' prefix in it, and whoever chose German there means it here too.
 */
export function languageOf({
  locale,
  returnUrl,
}: Pick<PaymentDetails, "locale" | "returnUrl">): string | null {
  if (locale !== null) return locale
  const [, , prefix] = new URL(returnUrl).pathname.split("/")
  return prefix ? (localeOfPrefix(prefix)?.iso ?? null) : null
}
