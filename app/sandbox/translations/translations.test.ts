import { describe, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { translationByLocale } from "./translations"

const english: Readonly<Record<string, string>> = translationByLocale.en
const others = locales.filter(({ iso }) => !iso.startsWith("en"))

describe.each(others)("in $name", ({ iso }) => {
  const texts = Object.entries(translationByLocale[iso])

  test("the payment page has no untranslated English text", () => {
    const same = texts.filter(([key, text]) => text === english[key]).map(([key]) => key)
    expect(same).toEqual([])
  })

  test("the payment page texts have the same placeholders as in English", () => {
    for (const [key, text] of texts) expect(places(text), key).toEqual(places(english[key] ?? ""))
  })
})

test("en and en-GB share the payment page texts", () => {
  expect(translationByLocale["en-GB"]).toBe(translationByLocale.en)
})

function places(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort()
}
