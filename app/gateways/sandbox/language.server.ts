import type { IncomingMessage } from "node:http"
import { bestLocale, type Locale } from "~/domain/locales"
import { languagesIn } from "~/http/accept-language.server"

/** The language the shop named for this payment, else the one the browser prefers, else English. */
export function languageFor(request: IncomingMessage, named: string | null): Locale {
  return bestLocale([...(named ? [named] : []), ...languagesIn(request.headers["accept-language"])])
}
