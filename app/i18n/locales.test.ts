import { describe, expect, test } from "vitest"
import { type Locale, type LocaleCode, locales } from "~/domain/locales"
import { NOTES_LENGTH } from "~/domain/services/service"
import { UPSELL_QUANTITY } from "~/domain/services/upsell"
import { fontFaces } from "~/ui/style/fonts.server"
import { textsOf } from "../../tests/architecture/translation-entries"
import { createI18n, loadCatalogue } from "./i18n"
import { enEn } from "./translations/en-en"

const english = textsOf(enEn)

/** Keys whose translation rightly equals the English text. */
const sameAsEnglish: Record<LocaleCode, string[] | "all"> = {
  "en-en": "all",
  "en-gb": "all",
  "es-es": [
    "checkout.gateway.btcpay",
    "checkout.gateway.coinbase",
    "checkout.extras.heading",
    "checkout.plan.heading",
    "checkout.total",
    "resellers.success.panel",
  ],
  "pt-pt": [
    "checkout.gateway.btcpay",
    "checkout.gateway.coinbase",
    "checkout.extras.heading",
    "checkout.total",
  ],
  "de-de": [
    "checkout.gateway.btcpay",
    "checkout.gateway.coinbase",
    "checkout.extras.heading",
    "frame.support",
    "resellers.success.panel",
    "success.server",
  ],
  "nl-nl": [
    "checkout.gateway.btcpay",
    "checkout.gateway.coinbase",
    "frame.privacy",
    "frame.support",
    "resellers.credits_one",
    "resellers.credits_other",
    "success.server",
    "title.resellers",
  ],
}

const accepted: Record<LocaleCode, { notFound: string; one: string; two: string; million: string }> = {
  "en-en": {
    notFound: "This page could not be found",
    one: "1 connection",
    two: "2 connections",
    million: "1,000,000 connections",
  },
  "en-gb": {
    notFound: "This page could not be found",
    one: "1 connection",
    two: "2 connections",
    million: "1,000,000 connections",
  },
  "es-es": {
    notFound: "No se ha encontrado esta página",
    one: "1 conexión",
    two: "2 conexiones",
    million: "1.000.000 de conexiones",
  },
  "pt-pt": {
    notFound: "Não foi possível encontrar esta página",
    one: "1 ligação",
    two: "2 ligações",
    million: "1\u00a0000\u00a0000 de ligações",
  },
  "de-de": {
    notFound: "Diese Seite wurde nicht gefunden",
    one: "1 Verbindung",
    two: "2 Verbindungen",
    million: "1.000.000 Verbindungen",
  },
  "nl-nl": {
    notFound: "Deze pagina is niet gevonden",
    one: "1 verbinding",
    two: "2 verbindingen",
    million: "1.000.000 verbindingen",
  },
}

describe.each(locales)("$name", (locale) => {
  test("has the same message keys as English", async () => {
    const texts = await textsIn(locale)
    expect(withoutPlurals(texts)).toEqual(withoutPlurals(english))
    expect([...texts.keys()]).toEqual(expect.arrayContaining([...english.keys()]))
  })

  test("has no empty message", async () => {
    const empty = [...(await textsIn(locale))].filter(([, text]) => text.trim() === "")
    expect(empty).toEqual([])
  })

  test("uses the same placeholders and markup in each message as English", async () => {
    for (const [key, text] of await textsIn(locale)) {
      expect(places(text), key).toEqual(places(english.get(englishKey(key)) ?? ""))
    }
  })

  test("uses only characters that the web font covers", async () => {
    const missing = [...(await textsIn(locale))].filter(([, text]) => ![...text].every(isInFont))
    expect(missing).toEqual([])
  })

  test("has no leading, trailing or double spaces", async () => {
    const loose = [...(await textsIn(locale))].filter(([, text]) => /^\s|\s$|\s{2}/.test(text))
    expect(loose).toEqual([])
  })

  test("states the real form limits, formatted for the locale", async () => {
    const texts = await textsIn(locale)
    const figures = (count: number) => new Intl.NumberFormat(locale.iso).format(count)
    const { min, max } = UPSELL_QUANTITY
    expect(texts.get("success.notes.tooLong")).toContain(figures(NOTES_LENGTH))
    expect(texts.get("upsell.quantityProblem")).toMatch(new RegExp(`\\b${min}\\b.*\\b${max}\\b`))
    const limits = ["success.notes.tooLong", "resellers.line.tooLong"].map((key) => texts.get(key))
    // A text of exactly that length is accepted.
    for (const text of limits) expect(text).not.toMatch(/under|unter|weniger|menos|onder|minder/i)
  })

  test("has exactly the plural forms of the locale for integers", async () => {
    const texts = await textsIn(locale)
    const rules = new Intl.PluralRules(locale.iso)
    const counts = [...Array(201).keys(), 1_000, 1_000_000, 2_000_000]
    const categories = [...new Set(counts.map((count) => rules.select(count)))].sort()
    const counted = [...english.keys()].filter((key) => key.endsWith("_other")).map(withoutPlural)
    expect(counted).not.toEqual([])
    for (const key of counted) {
      const forms = [...texts.keys()].filter((it) => withoutPlural(it) === key)
      expect(forms.sort()).toEqual(categories.map((category) => `${key}_${category}`))
    }
  })

  test("has no untranslated English messages except shared words", async () => {
    const same = sameAsEnglish[locale.code]
    const texts = [...(await textsIn(locale))]
    const inEnglish = texts.filter(([key, text]) => text === english.get(key)).map(([key]) => key)
    expect(inEnglish.sort()).toEqual(same === "all" ? inEnglish : same.toSorted())
  })

  test("translates messages with correct plurals and interpolation", async () => {
    const { t } = createI18n(locale, await loadCatalogue(locale.code))
    const { notFound, one, two, million } = accepted[locale.code]
    expect(t("error.not-found")).toBe(notFound)
    expect(t("success.connections", { count: 1 })).toBe(one)
    expect(t("success.connections", { count: 2 })).toBe(two)
    expect(t("success.connections", { count: 1_000_000 })).toBe(million)
    expect(t("waiting.order", { order: "A-1 & B" })).toContain("A-1 & B")
  })

  test("shows the sentence of a billing system whole", async () => {
    const { t } = createI18n(locale, await loadCatalogue(locale.code))
    const sentence = "Sorry: this code is for new customers. Ask us for another one."
    expect(t(sentence as "error.not-found")).toBe(sentence)
  })
})

test("English messages match the specification verbatim", () => {
  expect(enEn.checkout.email.invalid).toBe("Please enter a Valid Email.")
  expect(enEn.promotion["not-for-this-product"]).toBe("This Coupon is not available for this product.")
  expect(enEn.resellers.notSame).toBe("Not the same password")
  expect(enEn.error["not-found"]).toBe("This page could not be found")
})

test("UK English writes email without a hyphen", async () => {
  const hyphened = [...textsOf(await loadCatalogue("en-gb"))].filter(([, text]) => /e-mail/i.test(text))
  expect(hyphened).toEqual([])
})

async function textsIn(locale: Locale): Promise<Map<string, string>> {
  return textsOf(await loadCatalogue(locale.code))
}

function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, "")
}

function withoutPlurals(texts: Map<string, string>): string[] {
  return [...new Set([...texts.keys()].map(withoutPlural))].sort()
}

/** The English key to compare a plural form with: `_other` where English lacks the form. */
function englishKey(key: string): string {
  return english.has(key) ? key : `${withoutPlural(key)}_other`
}

function places(text: string): string[] {
  return (text.match(/{{[^}]*}}|<[^>]*>/g) ?? []).sort()
}

/** Unicode ranges that the shop's fonts cover, from first to last. */
const ranges = [...fontFaces.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(
  ([, first = "", last = first]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)],
)

function isInFont(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0
  return ranges.some(([first = 0, last = 0]) => code >= first && code <= last)
}
