import { retryAfterContext } from "~/context/error.server"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { MINUTE, SECOND } from "~/domain/calendar"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { spanText } from "~/ui/layout/format"

/** When to try again, for a page that failed because billing has asked to be left alone for longer than a minute. */
export function retryNote(context: RouteContext): string | null {
  const waitMs = (context.get(retryAfterContext) ?? 0) * SECOND
  const locale = context.get(localeContext)
  return waitMs > MINUTE
    ? screenTexts(locale.code)("outage.keptFor", { time: spanText(waitMs, locale) })
    : null
}
