import { describe, expect, test } from "vitest"
import { type LocaleCode, locales } from "~/domain/locales"
import { textsOf } from "../../../tests/architecture/translation-entries"
import { isOfMail, usedKeys } from "../../../tests/architecture/used-translation-keys"
import { translations } from "./texts"
import { enEn } from "./translations/en-en"
import { operatorTexts } from "./translations/operator"

const english = textsOf(enEn)

const namesOfGateways = ["order.gateway.coinbase", "order.gateway.btcpay"]

/** Keys whose translation rightly equals the English text. */
const sameAsEnglish: Partial<Record<LocaleCode, readonly string[]>> = {
  "es-es": ["order.total", ...namesOfGateways],
  "pt-pt": ["order.total", ...namesOfGateways],
  "de-de": namesOfGateways,
  "nl-nl": [...namesOfGateways, "footer.privacy"],
}

describe.each(locales)("texts of messages, $name", ({ code, iso }) => {
  const texts = textsOf(translations[code])

  test("have the keys of English", () => {
    expect(withoutPlurals(texts)).toEqual(withoutPlurals(english))
  })

  test("have the placeholders of English", () => {
    for (const [key, text] of texts) expect(gapsIn(text), key).toEqual(gapsIn(english.get(englishKey(key))))
  })

  test("are neither empty nor loosely spaced, and have no straight quotes", () => {
    expect([...texts].filter(([, text]) => !/\S/.test(text) || /^\s|\s$|\s{2}|['"]/.test(text))).toEqual([])
  })

  test("make no plan the subject of a verb: a name like 12 months has its own number and gender", () => {
    if (iso.startsWith("en")) return
    const verb =
      /{{product}} (is|was|werkt|staat|ist|war|wurde|funktioniert|pausiert|está|estaba|estava|funciona|no se ha|não foi)\b/
    expect([...texts].filter(([, text]) => verb.test(text))).toEqual([])
  })

  test("thank for a payment in the same words, whatever was bought", () => {
    const thanks = texts.get("receipt.renewal.lead")?.replace(/\.$/, "") ?? "none"
    const leads = [...texts].filter(([key]) => /^(receipt\..*\.lead|payment-received\.lead\..*)$/.test(key))
    expect(leads.length).toBeGreaterThan(5)
    expect(leads.filter(([, text]) => !text.startsWith(thanks))).toEqual([])
  })

  test("have exactly the plural forms of the language", () => {
    const rules = new Intl.PluralRules(iso)
    const categories = [...new Set([0, 1, 2, 5, 10, 100, 1_000_000].map((it) => rules.select(it)))].sort()
    const counted = [...english.keys()].filter((key) => key.endsWith("_other")).map(withoutPlural)
    for (const key of counted) {
      const forms = [...texts.keys()].filter((it) => withoutPlural(it) === key)
      expect(forms.sort()).toEqual(categories.map((category) => `${key}_${category}`))
    }
  })

  test("are translated", () => {
    if (iso.startsWith("en")) return
    const same = [...texts].filter(([key, text]) => text === english.get(key)).map(([key]) => key)
    expect(same).toEqual(sameAsEnglish[code] ?? [])
  })

  test("have no exclamation, and speak of renewal in its receipt and in messages about the end, the price and the days of a service only", () => {
    const promising = /renew|verlänger|renov|renuév|verleng|billed|abonnement/i
    const others = [...texts].filter(
      ([key]) => !/^(end|priceAnnounced|daysGiven|receipt\.renewal)\./.test(key),
    )
    expect(others.filter(([, text]) => promising.test(text))).toEqual([])
    expect([...texts].filter(([, text]) => text.includes("!"))).toEqual([])
  })
})

test("every text of a message is used, and every used key exists", () => {
  const texts = [...english.keys(), ...textsOf(operatorTexts).keys()].map((key) =>
    key.replace(/_(one|other)$/, ""),
  )
  const sections = [...Object.keys(enEn), ...Object.keys(operatorTexts)]
  const { keys, unclear } = usedKeys(sections, isOfMail)
  expect(unclear).toEqual([])
  expect([...new Set(texts)].filter((key) => !keys.has(key))).toEqual([])
  expect([...keys].filter((key) => !texts.includes(key))).toEqual([])
})

function withoutPlural(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, "")
}

function withoutPlurals(texts: Map<string, string>): string[] {
  return [...new Set([...texts.keys()].map(withoutPlural))].sort()
}

function englishKey(key: string): string {
  return english.has(key) ? key : `${withoutPlural(key)}_other`
}

function gapsIn(text = ""): string[] {
  return (text.match(/{{[^}]*}}/g) ?? []).sort()
}
