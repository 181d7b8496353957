import { expect, test } from "vitest"
import {
  chosenLocale,
  defaultLocale,
  LANGUAGE_COOKIE,
  localeInPath,
  localeOfCode,
  localeOfIso,
  localeOfPrefix,
  locales,
  localPath,
  pageUrl,
  parseLocaleCode,
  toLanguageName,
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
    expect(localeOfPrefix(locale.prefix.slice(1) || undefined)).toBe(locale)
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

test("a pathname below the base path names its locale", () => {
  expect(localeInPath("/checkout/de-de")?.code).toBe("de-de")
  expect(localeInPath("/checkout/en-gb/success")?.code).toBe("en-gb")
})

test.each(["/", "/checkout", "/checkout/", "/checkout/waiting", "/checkout/en-en", "/de-de", "/x/de-de", ""])(
  "the pathname %j names no locale",
  (pathname) => {
    expect(localeInPath(pathname)).toBeNull()
  },
)

test("the English name of every language is that of a WHMCS language file", () => {
  expect(locales.map(({ code }) => [code, toLanguageName(code)])).toEqual([
    ["en-en", "english"],
    ["es-es", "spanish"],
    ["pt-pt", "portuguese-pt"],
    ["de-de", "german"],
    ["nl-nl", "dutch"],
    ["en-gb", "english"],
  ])
})

test.each([
  ["english", "en-en"],
  ["Spanish", "es-es"],
  ["portuguese", "pt-pt"],
  ["portuguese-pt", "pt-pt"],
  ["portuguese-br", "pt-pt"],
  ["GERMAN", "de-de"],
  ["dutch", "nl-nl"],
  ["en-gb", "en-gb"],
  ["DE-DE", "de-de"],
])("the language %j is the locale %s", (name, code) => {
  expect(parseLocaleCode(name)).toBe(code)
})

test.each(["", "klingon", "-", "de", "germanic", undefined])("the language %j has no locale", (name) => {
  expect(parseLocaleCode(name)).toBeNull()
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
  expect(withoutChosenLocale("?edit=&lang=de-DE")).toBe("?edit")
})

test.each(["", "pid=3", "lang=", "lang=de", "lang=fr-FR"])("the query %j selects no language", (query) => {
  expect(chosenLocale(new URLSearchParams(query))).toBeNull()
})

test("the language cookie has the name from the specification", () => {
  expect(LANGUAGE_COOKIE).toBe("browserLang")
})

test("the address of a page has the shop's address, the base path and the language's prefix", () => {
  expect(pageUrl("https://shop.test", defaultLocale, "/waiting")).toBe("https://shop.test/checkout/waiting")
  const german = localeOfIso("de-DE")
  expect(pageUrl("https://shop.test", german, "/waiting")).toBe("https://shop.test/checkout/de-de/waiting")
  expect(pageUrl("https://shop.test", german, "/")).toBe("https://shop.test/checkout/de-de")
})
