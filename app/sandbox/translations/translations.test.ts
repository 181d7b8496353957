import { describe, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { translationByLanguage } from "./translations"

const english: Readonly<Record<string, string>> = translationByLanguage.en
const others = locales.filter(({ iso }) => !iso.startsWith("en"))

describe.each(others)("in $name", ({ iso }) => {
  const texts = Object.entries(translationByLanguage[iso])

  test("the pay page leaves nothing in English", () => {
    const same = texts.filter(([key, text]) => text === english[key]).map(([key]) => key)
    expect(same).toEqual([])
  })

  test("the pay page names the same amounts and shops as in English", () => {
    for (const [key, text] of texts) expect(places(text), key).toEqual(places(english[key] ?? ""))
  })
})

test("both kinds of English read the same on the pay page", () => {
  expect(translationByLanguage["en-GB"]).toBe(translationByLanguage.en)
})

function places(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort()
}
