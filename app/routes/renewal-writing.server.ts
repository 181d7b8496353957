import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { dayText, moneyText } from "~/ui/layout/format"
import { planName, serviceName } from "~/ui/layout/plan-name"

type Context = Readonly<RouterContextProvider>

/** Texts and formats of one page that says something of renewals. */
export type Writing = {
  readonly locale: LocaleCode
  readonly t: ScreenTexts
  readonly day: (at: Instant) => string
  readonly plan: (name: string) => string
  /** A service by its plan, and by its username where the visitor may know that. */
  readonly named: (name: string, username: string | null) => string
  readonly money: (amount: Money) => string
}

export function writingOf(context: Context): Writing {
  const locale = context.get(localeContext)
  const { timeZone } = context.get(servicesContext).shop
  return {
    locale: locale.code,
    t: screenTexts(locale.code),
    day: (at) => dayText(at, locale, timeZone),
    plan: (name) => planName(name, locale),
    named: (name, username) =>
      username === null ? planName(name, locale) : serviceName(name, username, locale),
    money: (amount) => moneyText(amount, locale),
  }
}
