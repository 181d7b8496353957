import { cachedByKey } from "~/domain/cached-by-key"
import type { Instant } from "~/domain/calendar"
import { defaultLocale, type Locale, localeOfCode } from "~/domain/locales"
import type { Money } from "~/domain/money"
import { moneyText } from "~/ui/layout/format"
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

/** By language and time zone. */
const formatsIn = cachedByKey((key) => {
  const [iso = "", timeZone] = key.split(" ")
  const day = new Intl.DateTimeFormat(iso, { dateStyle: "long", timeZone })
  const moment = new Intl.DateTimeFormat(iso, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
  return { day, moment }
})

export function writingFor(setting: MessageSetting): Writing {
  const locale = localeOfCode(setting.locale) ?? defaultLocale
  const formats = formatsIn(`${locale.iso} ${setting.timeZone}`)
  return {
    locale,
    t: messageTexts(locale.code),
    setting,
    money: (amount) => moneyText(amount, locale),
    day: (at) => formats.day.format(at).replace(/\s/g, " "),
    moment: (at) => formats.moment.format(at).replace(/\s/g, " "),
  }
}
