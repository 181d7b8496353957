import { cachedByKey } from "~/domain/cached-by-key"
import type { Instant } from "~/domain/calendar"
import { dateTagOf, defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import { dayText, moneyText } from "~/ui/layout/format"
import type { MessageSetting } from "../message"
import { type MessageTexts, messageTexts } from "./texts"

/** What composing a message needs besides its content: texts and formats of its language, and the setting. */
export type Writing = {
  readonly locale: Locale
  readonly t: MessageTexts
  readonly setting: MessageSetting
  money(amount: Money): string
  /** Date and time with the name of the time zone: "22 November 2026 at 16:44 CET". */
  moment(at: Instant): string
  /** "22 November 2026". */
  day(at: Instant): string
}

/** By tag of the language and time zone. */
const momentFormat = cachedByKey((key) => {
  const [tag = "", timeZone] = key.split(" ")
  return new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
})

export function writingFor(setting: MessageSetting): Writing {
  const locale = localeOfCode(setting.locale) ?? defaultLocale
  const { timeZone } = setting
  const day = (at: Instant) => dayText(at, locale, timeZone)
  return {
    locale,
    t: messageTexts(locale.code),
    setting,
    money: (amount) => moneyText(amount, locale),
    day,
    moment: (at) => momentText(day(at), momentFormat(`${dateTagOf(locale)} ${timeZone}`).format(at)),
  }
}

/** A moment begins with its day. A line may break after that, and before the time, which keeps the zone. */
function momentText(day: string, moment: string): string {
  const time = moment.slice(day.length).replace(/\s/g, " ")
  return day + time.replace(/ (?=\S+$)/, "\u00a0")
}
