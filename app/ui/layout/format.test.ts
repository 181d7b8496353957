import { describe, expect, test } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { type LocaleCode, localeOfCode } from "~/domain/locales"
import { money } from "~/domain/money/money"
import {
  dateTimeText,
  dayText,
  dayTimeText,
  discountText,
  moneyText,
  monthsText,
  percentText,
  spanText,
  timeText,
} from "./format"
import { planName } from "./plan-name"

const at = (code: LocaleCode) => {
  const locale = localeOfCode(code)
  if (!locale) throw new Error(code)
  return locale
}
const english = at("en-en")
const afternoon = Date.UTC(2026, 10, 20, 15, 5)

describe("money format", () => {
  test.each([
    ["en-en", "€1,234.50", "£9.00", "$9.00"],
    ["en-gb", "€1,234.50", "£9.00", "$9.00"],
    ["es-es", "1234,50 €", "9,00 £", "9,00 $"],
    ["pt-pt", "1234,50 €", "9,00 £", "9,00 $"],
    ["de-de", "1.234,50 €", "9,00 £", "9,00 $"],
    ["nl-nl", "€ 1.234,50", "£ 9,00", "$ 9,00"],
  ] as const)("formats money for %s", (code, euros, pounds, dollars) => {
    const texts = [money(123450, "EUR"), money(900, "GBP"), money(900, "USD")]
    const plain = texts.map((it) => moneyText(it, at(code)).replaceAll("\u00a0", " "))
    expect(plain).toEqual([euros, pounds, dollars])
  })

  test("contains only no-break spaces", () => {
    for (const code of ["es-es", "pt-pt", "de-de", "nl-nl"] as const) {
      expect(moneyText(money(123450, "EUR"), at(code))).toMatch(/^\S*\u00a0\S*$/)
    }
  })

  test("writes a discount with a minus before the currency", () => {
    expect(discountText(money(-989, "EUR"), english)).toBe("−\u00a0€9.89")
    expect(discountText(money(-989, "EUR"), at("de-de"))).toBe("−\u00a09,89\u00a0€")
  })
})

test("formats a saving as a whole percentage in the locale", () => {
  expect(percentText(45, english)).toBe("45%")
  expect(percentText(45, at("de-de"))).toBe("45\u00a0%")
})

describe("time format", () => {
  test("uses the shop's time zone and names it in a deadline", () => {
    expect(timeText(afternoon, at("de-de"), "Europe/Berlin")).toBe("16:05")
    expect(timeText(afternoon, english, "UTC")).toBe("15:05")
    const moment = (code: LocaleCode, timeZone: string) =>
      dateTimeText(afternoon, at(code), timeZone).replaceAll("\u00a0", " ")
    expect(moment("de-de", "Europe/Berlin")).toBe("Fr., 20. Nov. 2026, 16:05 MEZ")
    expect(moment("en-en", "UTC")).toBe("Fri, 20 Nov 2026, 15:05 UTC")
    expect(moment("en-gb", "UTC")).toMatch(/^Fri,? 20 Nov 2026,? (at )?15:05 UTC$/)
  })

  test.each(["en-en", "de-de", "es-es", "pt-pt", "nl-nl"] as const)(
    "a date with a time breaks behind the weekday and the date only, in %s",
    (code) => {
      const [weekday, day, ...time] = dateTimeText(afternoon, at(code), "UTC").split(" ")
      expect(weekday).toMatch(/^\w+\.?,?$/)
      expect(day).toMatch(/^20\D+\d*\D*2026,$/)
      expect(time).toEqual(["15:05\u00a0UTC"])
    },
  )

  test("writes the hour as the language does, with and without a day", () => {
    const night = Date.UTC(2026, 10, 29, 2, 5)
    const inTheNight = (code: LocaleCode) => [
      timeText(night, at(code), "UTC"),
      dayTimeText(night, at(code), "UTC"),
    ]
    expect(inTheNight("de-de")).toEqual(["02:05", "29.\u00a0Nov.,\u00a002:05"])
    expect(inTheNight("en-gb")).toEqual(["02:05", "29\u00a0Nov,\u00a002:05"])
    expect(inTheNight("nl-nl")).toEqual(["02:05", "29\u00a0nov,\u00a002:05"])
    expect(inTheNight("pt-pt")).toEqual(["02:05", "29/11,\u00a002:05"])
    expect(inTheNight("es-es")).toEqual(["2:05", "29\u00a0nov,\u00a02:05"])
    expect(inTheNight("en-en")).toEqual(inTheNight("en-gb"))
  })

  test("a day in Spanish and Portuguese may break before its year, any other nowhere", () => {
    const days = (["es-es", "pt-pt", "de-de", "nl-nl", "en-gb", "en-en"] as const).map((code) =>
      dayText(afternoon, at(code), "UTC").replaceAll("\u00a0", "_"),
    )
    expect(days).toEqual([
      "20_de_noviembre de_2026",
      "20_de_novembro de_2026",
      "20._November_2026",
      "20_november_2026",
      "20_November_2026",
      "20_November_2026",
    ])
  })

  test("rounds remaining time up to the minute and never below zero", () => {
    const texts = [14 * HOUR + 51 * MINUTE + SECOND, 2 * HOUR, 5 * MINUTE, -HOUR]
    const plain = texts.map((it) => spanText(it, english).replaceAll("\u00a0", " "))
    expect(plain).toEqual(["14 hours 52 minutes", "2 hours", "5 minutes", "0 minutes"])
  })

  test("writes hours and minutes in full, as the sentences around them do", () => {
    const span = 61 * MINUTE
    const texts = (["de-de", "es-es", "pt-pt", "nl-nl"] as const).map((code) => spanText(span, at(code)))
    expect(texts.map((it) => it.replaceAll("\u00a0", " "))).toEqual([
      "1 Stunde 1 Minute",
      "1 hora 1 minuto",
      "1 hora 1 minuto",
      "1 uur 1 minuut",
    ])
  })
})

describe("plan name", () => {
  test("translates a name that is only a number of months", () => {
    const names = (["es-es", "pt-pt", "de-de", "nl-nl"] as const).map((code) =>
      planName("12 months", at(code)),
    )
    expect(names.map((it) => it.replace("\u00a0", " "))).toEqual([
      "12 meses",
      "12 meses",
      "12 Monate",
      "12 maanden",
    ])
    expect(planName("1 month", at("de-de"))).toBe(monthsText(1, at("de-de")))
  })

  test("keeps any other name", () => {
    expect(planName("Gold, 12 months", at("de-de"))).toBe("Gold, 12 months")
  })
})
