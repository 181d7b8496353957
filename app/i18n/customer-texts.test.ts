import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { textsOf } from "../../tests/architecture/translation-entries"

/** The catalogues that customers read: of pages, of messages and of documents. */
const catalogues = import.meta.glob<Record<string, Parameters<typeof textsOf>[0]>>(
  [
    "./translations/*.ts",
    "./screen-texts/*.ts",
    "/app/mail/messages/translations/*.ts",
    "/app/documents/translations/*.ts",
    "/app/sandbox/translations/*.ts",
  ],
  { eager: true },
)

const pages = Object.entries(catalogues)
  .filter(([file]) => /^(\.|\/app\/i18n)\//.test(file))
  .flatMap(([, module]) => Object.values(module))
  .flatMap((texts) => [...textsOf(texts)])

const languages = ["en-en", "es-es", "pt-pt", "de-de", "nl-nl"].map((code) => ({
  language: code.slice(0, 2),
  texts: Object.entries(catalogues)
    .filter(([file]) => file.endsWith(`/${code}.ts`))
    .flatMap(([, module]) => Object.values(module))
    .flatMap((texts) => [...textsOf(texts)]),
}))

/** The shop file of the demonstration, whose texts customers of a new shop read first. */
const demonstration = readFileSync("app/config/demo-shop.json", "utf8")

/** Quotation marks of a language; an apostrophe is the curved one, after a letter. */
const quotationMarks: Record<string, string> = { en: "“”", es: "«»", pt: "«»", de: "„“", nl: "“”" }

/** Words for what the shop calls by another word in the same language. */
const otherWords: Record<string, RegExp> = {
  en: /\be-mails?\b|\bterm\b|subscription/i,
  es: /\be-?mails?\b|forma de pago|número de IVA\b|^ayuda$|cambia el pedido|dejan de valer|conexi(ón|ones) más|suscripci|vuelve a (intentarlo|probar)|reinténtalo/i,
  pt: /\bemails?\b|\bNIF\b|^Mais {2}(de )?ligaç|subscriç/i,
  de: /\bemails?\b|nichts berechnet|Testzeit|Zeitraum|abonnement/i,
  nl: /\bemails?\b|klantenservice|kastje|bestelling houden|^hulp$|betaalwijze|in rekening gebracht|gratis proef\b|op pauze|teruggestort|looptijd|abonnement/i,
}

/** Words of the form of address that the language does not use: de Sie, es tú, pt the third person without "você", nl je. */
const otherAddress: Record<string, RegExp> = {
  es: wordsOf(
    "usted|ustedes|vosotros|vosotras|vuestro|vuestra|elija|introduzca|pulse|inténtelo|compruebe|contacte",
  ),
  pt: wordsOf("tu|teu|teus|tua|tuas|te|ti|contigo|você|vocês|podes|tens|queres|introduz|verifica"),
  de: wordsOf("du|dich|dir|dein|deine|deinem|deinen|deiner|euch|euer|eure"),
  nl: wordsOf("u|uw|uzelf"),
}

function wordsOf(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(${words})(?![\\p{L}\\d])`, "iu")
}

/** Spanish says "antes del 14 de marzo". */
const dateWithoutArticle =
  /\b(de|a|hasta|desde) {{(when|date|moment|deadline|end|from|on|suspension|termination)}}/

test.each(languages)("in $language the texts of pages, messages and documents are read", ({ texts }) => {
  expect(texts.length).toBeGreaterThan(900)
})

/** The quotation marks of a text, without apostrophes. */
const marksIn = (text: string) => text.replace(/(?<=\p{L})’(?!\s|$)/gu, "").match(/["'“”„«»‘’‹›]/g) ?? []

test.each(languages)("$language has its own quotation marks only", ({ language, texts }) => {
  const own = quotationMarks[language] ?? ""
  expect(texts.filter(([, text]) => marksIn(text).some((mark) => !own.includes(mark)))).toEqual([])
})

test.each(languages)("$language has one word for one thing", ({ language, texts }) => {
  expect(texts.filter(([, text]) => otherWords[language]?.test(text.replace(/{{[^}]*}}/g, "")))).toEqual([])
})

test.each(languages)("$language addresses the reader in one form", ({ language, texts }) => {
  expect(texts.filter(([, text]) => otherAddress[language]?.test(text.replace(/{{[^}]*}}/g, "")))).toEqual([])
})

/** "You have tried too many codes": what happened is said without the one who did it, as in English. */
const blame = /^(You have tried|Sie haben .* versucht|Has probado|Experimentou|Je hebt .* geprobeerd)/

test.each(languages)("$language blames no one for too many tries", ({ texts }) => {
  expect(texts.filter(([, text]) => blame.test(text))).toEqual([])
})

/** "1 to 5 minutes": a line would end after the first number. */
const range = /(?<!\})(\{\{from\}\}|\b\d+)\s\p{L}{1,4}\s(\{\{to\}\}|\d+)(\s[Mm]inu\p{L}+)?/gu

test.each(languages)("$language calls resellers so where the footer leads to their plans", ({ texts }) => {
  const textOf = new Map(texts)
  // "resell", "revend": the ends differ.
  const stem = textOf.get("title.resellers")?.slice(0, 6).toLowerCase()
  expect(textOf.get("frame.resellers")?.toLowerCase()).toContain(stem)
})

test.each(languages)("$language keeps a range of numbers on one line", ({ texts }) => {
  expect(texts.flatMap(([, text]) => text.match(range) ?? []).filter((it) => it.includes(" "))).toEqual([])
})

/** "in United Kingdom", "em Alemanha": the name of a country has an article of its own in most languages. */
const countryAfterPreposition = /\b(in|from|of|aus|en|de|em|uit) {{(located|numberCountry|country)}}/

test.each(languages)("$language names a country without a preposition", ({ texts }) => {
  expect(texts.filter(([, text]) => countryAfterPreposition.test(text))).toEqual([])
})

test("German has no dative before the name of a plan, which may be 12 Monate", () => {
  const german = languages.find(({ language }) => language === "de")?.texts ?? []
  expect(german.filter(([, text]) => /\b(zu|von|mit|aus|bei) {{(plan|product|present)}}/.test(text))).toEqual(
    [],
  )
})

test("German keeps an ellipsis on the line of the word before it", () => {
  const german = languages.find(({ language }) => language === "de")?.texts ?? []
  expect(german.filter(([, text]) => text.includes(" …"))).toEqual([])
})

test("Spanish has an article before a date", () => {
  const spanish = languages.find(({ language }) => language === "es")?.texts ?? []
  expect(spanish.filter(([, text]) => dateWithoutArticle.test(text))).toEqual([])
})

/** "Terminou a 14 de março", as the other dates of a plan, not "em 14 de março". */
const dateAfterEm =
  /\b(termin\w+|comece|mudar|recebida|definida|pago|encomendado|chegou-nos) em {{(date|end|termination|moment)}}|^Em {{(moment|termination)}}/i

test("Portuguese says on which day in one way", () => {
  const portuguese = languages.find(({ language }) => language === "pt")?.texts ?? []
  expect(portuguese.filter(([, text]) => dateAfterEm.test(text))).toEqual([])
})

/** "Paga agora": what you do, for a reader of "você", is an order to a friend without a subject; a question is none. */
const orderToFriend = /^(Paga|Escolhe)\s[^?]+$/

test("Portuguese begins no statement with a verb that reads as an order to a friend", () => {
  const portuguese = languages.find(({ language }) => language === "pt")?.texts ?? []
  expect(portuguese.filter(([, text]) => orderToFriend.test(text))).toEqual([])
})

test("no line of a page ends within the word e-mail: a word joiner (U+2060) follows its hyphen", () => {
  expect(pages.filter(([, text]) => text.includes("-\u2060")).length).toBeGreaterThan(100)
  expect(pages.filter(([, text]) => /e-mail/i.test(text))).toEqual([])
})

test("no line of a page ends within Wi-Fi", () => {
  expect(pages.filter(([, text]) => /Wi-\u2060Fi/.test(text)).length).toBeGreaterThan(1)
  expect(pages.filter(([, text]) => text.includes("Wi-Fi"))).toEqual([])
})

test("the texts of the demonstration shop have the quotation marks of their language", () => {
  for (const { language } of languages) {
    const own = quotationMarks[language] ?? ""
    const texts = [...demonstration.matchAll(new RegExp(`"${language}-\\w\\w": "(.*)"`, "g"))].map(
      ([, it]) => it ?? "",
    )
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.filter((text) => marksIn(text).some((mark) => !own.includes(mark)))).toEqual([])
  }
})
