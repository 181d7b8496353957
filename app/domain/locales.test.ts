import { expect, test } from "vitest"
import {
  bestLocale,
  chosenLocale,
  defaultLocale,
  LANGUAGE_COOKIE,
  localeOfCode,
  localeOfIso,
  localeOfPrefix,
  localeParam,
  locales,
  localPath,
  withChosenLocale,
  withoutChosenLocale,
} from "./locales"

test("six locales, English first and without a URL prefix", () => {
  expect(locales.map(({ code, prefix }) => [code, prefix])).toEqual([
    ["en-en", ""],
    ["es-es", "/es-es"],
    ["pt-pt", "/pt-pt"],
    ["de-de", "/de-de"],
    ["nl-nl", "/nl-nl"],
    ["en-gb", "/en-gb"],
  ])
  expect(defaultLocale.code).toBe("en-en")
})

test("finds every locale by its prefix, its code and its tag", () => {
  for (const locale of locales) {
    expect(localeOfPrefix(localeParam(locale))).toBe(locale)
    expect(localeOfCode(locale.code)).toBe(locale)
    expect(localeOfIso(locale.iso)).toBe(locale)
  }
})

test("every locale's tag is supported by Intl", () => {
  const tags = locales.map(({ iso }) => iso)
  expect(Intl.NumberFormat.supportedLocalesOf([...tags])).toEqual(tags)
})

test.each(["en-en", "fr-fr", "DE-DE", "de", "", "/de-de", "__proto__"])(
  "the prefix %j names no locale",
  (prefix) => {
    expect(localeOfPrefix(prefix)).toBeNull()
  },
)

test.each(["xx", "", "EN-EN"])("the cookie value %j names no locale", (code) => {
  expect(localeOfCode(code)).toBeNull()
})

test.each([
  [["de-DE", "en"], "de-de"],
  [["de-AT"], "de-de"],
  [["nl"], "nl-nl"],
  [["pt-BR"], "pt-pt"],
  [["es-419"], "es-es"],
  [["en-GB"], "en-gb"],
  [["en-AU"], "en-gb"],
  [["en-US", "de"], "en-en"],
  [["EN-us"], "en-en"],
  [["fr-FR", "es"], "es-es"],
  [["fr", "ja"], "en-en"],
  [["*"], "en-en"],
  [["", "-", "de_DE"], "en-en"],
  [[], "en-en"],
])("negotiates %j to %s", (tags, code) => {
  expect(bestLocale(tags).code).toBe(code)
})

const german = localeOfIso("de-DE")

test("a localized path starts with the locale's prefix, and the first page is the prefix alone", () => {
  expect([localPath(german, "/"), localPath(german, "/waiting")]).toEqual(["/de-de", "/de-de/waiting"])
  expect([localPath(defaultLocale, "/"), localPath(defaultLocale, "/waiting")]).toEqual(["/", "/waiting"])
})

test("a language menu link sets the language and keeps the other query parameters", () => {
  expect(withChosenLocale("?pid=3", german)).toBe("?pid=3&lang=de-DE")
  expect(withChosenLocale("?lang=es-ES&pid=3", german)).toBe("?lang=de-DE&pid=3")
})

test("reads the chosen language from the query and removes it from the URL", () => {
  expect(chosenLocale(new URLSearchParams("pid=3&lang=de-DE"))).toBe(german)
  expect(withoutChosenLocale("?pid=3&lang=de-DE")).toBe("?pid=3")
  expect(withoutChosenLocale("?lang=de-DE")).toBe("")
})

test.each(["", "pid=3", "lang=", "lang=de", "lang=fr-FR"])("the query %j selects no language", (query) => {
  expect(chosenLocale(new URLSearchParams(query))).toBeNull()
})

test("the language cookie has the name from the specification", () => {
  expect(LANGUAGE_COOKIE).toBe("browserLang")
})
