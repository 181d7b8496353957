import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { dateTimeText, dayText, moneyText } from "~/ui/layout/format"
import { namedLines, planName, serviceName } from "~/ui/layout/plan-name"

/** Texts and formats of one page, in its language and the shop's time zone. */
export type Writing = {
  readonly locale: LocaleCode
  readonly t: ScreenTexts
  readonly day: (at: Instant) => string
  /** Day and time. */
  readonly moment: (at: Instant) => string
  readonly plan: (name: string) => string
  /** A service by its plan, and by its username where the visitor may know that. */
  readonly named: (name: string, username: string | null) => string
  readonly money: (amount: Money) => string
  /** The lines of an order: see `namedLines`. */
  readonly lines: (lines: readonly QuoteLine[], logins?: readonly (string | null)[]) => readonly QuoteLine[]
}

export function writingOf(context: RouteContext): Writing {
  const locale = context.get(localeContext)
  const { timeZone } = context.get(servicesContext).shop
  const t = screenTexts(locale.code)
  return {
    locale: locale.code,
    t,
    lines: (lines, logins) => namedLines(lines, locale, logins, (plan) => t("plan.unused", { plan })),
    day: (at) => dayText(at, locale, timeZone),
    moment: (at) => dateTimeText(at, locale, timeZone),
    plan: (name) => planName(name, locale),
    named: (name, username) =>
      username === null ? planName(name, locale) : serviceName(name, username, locale),
    money: (amount) => moneyText(amount, locale),
  }
}
