import type { IncomingMessage } from "node:http"
import type { Locale } from "~/domain/locales"
import { detectIncomingLocale } from "~/i18n/detect-locale.server"
import type { PaymentDetails } from "./payment"

type PaymentLanguage = Pick<PaymentDetails, "locale" | "returnUrl">

/** A language tag that may stand in a header. */
const TAG = /^[\w-]{1,35}$/

/**
 * Locale of a page: the payment's if the shop named it, else the browser's. Some protocols have no member for the locale;
 * then it is that of the return URL.
 */
export function pageLocale(
  { headers }: Pick<IncomingMessage, "headers">,
  payment: PaymentLanguage | null,
): Promise<Locale> {
  const named = payment?.locale && TAG.test(payment.locale) ? [payment.locale] : []
  const languages = [named, headers["accept-language"] ?? []].flat().join(", ")
  const url = payment && payment.locale === null ? new URL(payment.returnUrl).pathname : "/"
  return detectIncomingLocale({ url, headers: { "accept-language": languages } })
}
