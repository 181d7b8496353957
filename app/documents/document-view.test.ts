import { expect, test } from "vitest"
import { locales } from "~/domain/locales"
import {
  germanCreditNote,
  germanInvoice,
  invoiceInPounds,
  madridShop,
  notRegistered,
  proforma,
  reverseCharge,
} from "../../tests/fixtures/printed-documents"
import { documentView, lineText } from "./document-view"

test.each(locales.map(({ code }) => code))("documents say the same as before in %s", (locale) => {
  const documents = [germanInvoice, germanCreditNote, reverseCharge, notRegistered, proforma]
  const views = documents.map((it) => documentView({ ...it, locale }, madridShop))
  expect(views.map(({ pageOf, ...view }) => ({ ...view, page: pageOf(1, 2) }))).toMatchSnapshot()
})

test.each([
  ["en-en", "Reverse charge"],
  ["en-gb", "Reverse charge"],
  ["de-de", "Steuerschuldnerschaft des Leistungsempfängers"],
  ["es-es", "Inversión del sujeto pasivo"],
  ["pt-pt", "IVA - autoliquidação"],
  ["nl-nl", "Btw verlegd"],
] as const)(
  "an invoice of a business that owes the tax says so as the law has it, in %s",
  (locale, words) => {
    expect(documentView({ ...reverseCharge, locale }, madridShop).notes).toEqual([words])
  },
)

test("a payment has the day of the shop's time zone", () => {
  expect(documentView(germanInvoice, madridShop).payments[0]?.label).toBe(
    "Bitcoin, 28.\u00a0November\u00a02026",
  )
  expect(documentView(germanInvoice, { ...madridShop, timeZone: "UTC" }).payments[0]?.label).toBe(
    "Bitcoin, 27.\u00a0November\u00a02026",
  )
})

test("a credit note names the invoice that it corrects", () => {
  expect(documentView(germanCreditNote, madridShop).notes).toEqual([
    "Korrigiert Rechnung R2026-000017 vom 28.\u00a0November\u00a02026.",
  ])
})

test("a proforma has neither a number nor a date of supply, and says until when it can be paid and that it is no invoice", () => {
  const { title, facts, notes } = documentView(proforma, madridShop)
  expect(title).toBe("Proforma-Rechnung 100042")
  expect(facts.map(({ label }) => label)).toEqual(["Datum", "Zahlbar bis", "Bestellung"])
  expect(facts[1]?.text).toBe("So., 29.\u00a0Nov.\u00a02026, 00:30\u00a0MEZ")
  expect(notes[0]).toMatch(/^Dies ist keine Rechnung\./)
})

test.each([
  [
    "en-en",
    "Taken off the prices: €15.00 with the code YEAR15.",
    "Taken off the price: €6.67 for the unused time of 1 month.",
  ],
  [
    "en-gb",
    "Taken off the prices: €15.00 with the code YEAR15.",
    "Taken off the price: €6.67 for the unused time of 1 month.",
  ],
  [
    "de-de",
    "Von den Preisen abgezogen: 15,00 € mit dem Code YEAR15.",
    "Vom Preis abgezogen: 6,67 € für ungenutzte Zeit (1 Monat).",
  ],
  [
    "es-es",
    "Descontado de los precios: 15,00 € con el código YEAR15.",
    "Descontado del precio: 6,67 € por el tiempo sin usar de 1 mes.",
  ],
  [
    "pt-pt",
    "Descontado nos preços: 15,00 € com o código YEAR15.",
    "Descontado no preço: 6,67 € pelo tempo não usado de 1 mês.",
  ],
  [
    "nl-nl",
    "Van de prijzen afgetrokken: € 15,00 met de code YEAR15.",
    "Van de prijs afgetrokken: € 6,67 voor ongebruikte tijd van 1 maand.",
  ],
] as const)("an invoice says what was taken off the prices, in %s", (locale, ...remarks) => {
  const reductions = [
    { kind: "discount", code: "YEAR15", amount: 1_500 },
    { kind: "unusedTime", name: "1 month", amount: 667 },
  ] as const
  const view = documentView({ ...germanInvoice, locale, reductions }, madridShop)
  expect(view.remarks.map((it) => it.replaceAll("\u00a0", " "))).toEqual(remarks)
})

test.each([
  [
    "en-en",
    "VAT in the seller’s national currency: EUR 15.35 (exchange rate of 27 November 2026: 1 EUR = 0.87350 GBP).",
  ],
  [
    "en-gb",
    "VAT in the seller’s national currency: EUR 15.35 (exchange rate of 27 November 2026: 1 EUR = 0.87350 GBP).",
  ],
  [
    "de-de",
    "Umsatzsteuer in der Landeswährung des Verkäufers: 15,35 EUR (Umrechnungskurs vom 27. November 2026: 1 EUR = 0,87350 GBP).",
  ],
  [
    "es-es",
    "IVA en la moneda nacional del vendedor: 15,35 EUR (tipo de cambio del 27 de noviembre de 2026: 1 EUR = 0,87350 GBP).",
  ],
  [
    "pt-pt",
    "IVA na moeda nacional do vendedor: 15,35 EUR (taxa de câmbio de 27 de novembro de 2026: 1 EUR = 0,87350 GBP).",
  ],
  [
    "nl-nl",
    "Btw in de nationale munteenheid van de verkoper: EUR 15,35 (wisselkoers van 27 november 2026: 1 EUR = 0,87350 GBP).",
  ],
] as const)(
  "an invoice states its tax in the accounting currency with the exchange rate, in %s",
  (locale, text) => {
    const { remarks } = documentView({ ...invoiceInPounds, locale }, madridShop)
    expect(remarks.map((it) => it.replaceAll("\u00a0", " "))).toEqual([text])
  },
)

test("an exchange rate of many decimals and a large amount are written exactly", () => {
  const exchange = { base: "CHF", quote: "GBP", rate: "9999.12345678", from: "2026-11-27" } as const
  const sums = [{ basisPoints: 1_900, net: 0, tax: 900_719_925_474_099 }]
  const accounting = { currency: "CHF", exchange, sums } as const
  const { remarks } = documentView({ ...invoiceInPounds, accounting }, madridShop)
  expect(remarks[0]).toContain("9.007.199.254.740,99\u00a0CHF")
  expect(remarks[0]).toContain("1\u00a0CHF\u00a0=\u00a09.999,12345678\u00a0GBP")
})

test("an erased buyer is named as a private customer", () => {
  const erased = { ...germanInvoice, buyer: { ...germanInvoice.buyer, email: null } }
  expect(documentView(erased, madridShop).buyer.lines).toEqual(["Privatperson", "Deutschland"])
})

test("a buyer of an unknown country stands under the country of the tax", () => {
  const unknown = { ...germanInvoice, buyer: { ...germanInvoice.buyer, country: "XX" } }
  expect(documentView(unknown, madridShop).buyer.lines.at(-1)).toBe("Deutschland")
})

test.each([
  [{ kind: "plan", text: "12 Months", months: null }, "12 Monate"],
  [{ kind: "renewal", text: "12 Months", months: 12 }, "12 Monate"],
  [{ kind: "renewal", text: "Sport", months: 3 }, "Sport · 3 Monate"],
  [{ kind: "plan", text: null, months: null }, "Paket"],
  [{ kind: "extraConnection", text: null, months: null }, "Weitere Verbindung"],
  [{ kind: "moreConnections", text: null, months: null }, "Weitere Verbindungen"],
  [{ kind: "unusedTime", text: null, months: null }, "Weiterer Posten"],
] as const)("a line %j is called %s", (line, text) => {
  expect(lineText(line, "de-de").replaceAll("\u00a0", " ")).toBe(text)
})

test("a seller who has not said a name is known by the name of the shop, and has an address for questions", () => {
  const { seller } = germanInvoice
  const view = documentView({ ...germanInvoice, seller: { ...seller, name: null } }, madridShop)
  expect(view.seller.lines).toEqual([
    "Beispiel TV",
    "Calle Mayor 1",
    "28013 Madrid",
    "Spanien",
    "USt-IdNr. ESB12345678",
    "rechnung@shop.test",
  ])
})
