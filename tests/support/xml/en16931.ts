import { create } from "xmlbuilder2"

/** A parsed element: its children by name, or its text. */
type Element = { readonly [name: string]: unknown }

/** What the rules ask of a document. Amounts in minor units. */
type Parsed = ReturnType<typeof parsedUbl>

/** Business rules of EN 16931-1 that a document of the shop can break. */
const rules: Readonly<Record<string, (it: Parsed) => boolean>> = {
  "BR-01": (it) => it.text("cbc:CustomizationID") === "urn:cen.eu:en16931:2017",
  "BR-02": (it) => it.text("cbc:ID") !== "",
  "BR-03": (it) => /^\d{4}-\d\d-\d\d$/.test(it.text("cbc:IssueDate")),
  "BR-04": (it) =>
    ["380", "381"].includes(it.text("cbc:InvoiceTypeCode") + it.text("cbc:CreditNoteTypeCode")),
  "BR-05": (it) => ["EUR", "GBP", "USD"].includes(it.text("cbc:DocumentCurrencyCode")),
  "BR-06": (it) => it.seller("cac:PartyLegalEntity", "cbc:RegistrationName") !== "",
  "BR-07": (it) => it.buyer("cac:PartyLegalEntity", "cbc:RegistrationName") !== "",
  "BR-09": (it) => /^[A-Z]{2}$/.test(it.seller("cac:PostalAddress", "cac:Country", "cbc:IdentificationCode")),
  "BR-11": (it) => /^[A-Z]{2}$/.test(it.buyer("cac:PostalAddress", "cac:Country", "cbc:IdentificationCode")),
  "BR-16": (it) => it.lines.length > 0,
  "BR-22": (it) => it.lines.every(({ quantity }) => Number(quantity) > 0),
  "BR-25": (it) => it.lines.every(({ name }) => name !== ""),
  "BR-27": (it) => it.lines.every(({ price }) => price >= 0),
  // BT-6 is only for a currency that is not the document's (BT-5), and its total has no sums by rate (BG-23).
  "BR-53": (it) =>
    it.accounting.currency === ""
      ? it.accounting.totals.length === 0
      : it.accounting.currency !== it.text("cbc:DocumentCurrencyCode") &&
        it.accounting.totals.length === 1 &&
        it.accounting.totals.every((total) => total.currency === it.accounting.currency && !total.hasRates),
  "BR-CO-03": (it) => it.text("cbc:TaxPointDate") === "",
  "BR-CO-04": (it) => it.lines.every(({ category }) => category !== ""),
  "BR-CO-09": (it) => it.vatNumbers.every((number) => /^[A-Z]{2}/.test(number)),
  "BR-CO-10": (it) => it.total("LineExtensionAmount") === sum(it.lines.map(({ net }) => net)),
  "BR-CO-13": (it) => it.total("TaxExclusiveAmount") === it.total("LineExtensionAmount"),
  "BR-CO-14": (it) => it.tax === sum(it.rates.map(({ tax }) => tax)),
  "BR-CO-15": (it) => it.total("TaxInclusiveAmount") === it.total("TaxExclusiveAmount") + it.tax,
  "BR-CO-16": (it) =>
    it.total("PayableAmount") === it.total("TaxInclusiveAmount") - it.total("PrepaidAmount"),
  // The validation artefacts of the standard allow a difference below one; ours is of one minor unit at most.
  "BR-CO-17": (it) =>
    it.rates.every(({ net, tax, percent }) => Math.abs(tax - Math.round((net * (percent ?? 0)) / 100)) <= 1),
  "BR-CO-18": (it) => it.rates.length > 0,
  "BR-CO-25": (it) => it.total("PayableAmount") <= 0 || it.text("cac:PaymentTerms", "cbc:Note") !== "",
  "BR-CO-26": (it) => it.sellerVat !== "" || it.seller("cac:PartyIdentification", "cbc:ID") !== "",
  "BR-S-01": (it) => it.rates.filter(isOf("S")).length > 0 === it.lines.some(isOf("S")),
  "BR-S-02": (it) => !it.lines.some(isOf("S")) || it.sellerNumber !== "",
  "BR-S-05": (it) => it.lines.filter(isOf("S")).every(({ percent }) => (percent ?? 0) > 0),
  "BR-S-08": (it) =>
    it.rates.filter(isOf("S")).every(({ net, percent }) => {
      const ofRate = it.lines.filter((line) => line.category === "S" && line.percent === percent)
      return net === sum(ofRate.map((line) => line.net))
    }),
  "BR-S-10": (it) => it.rates.filter(isOf("S")).every(({ code, reason }) => code + reason === ""),
  "BR-Z-02": (it) => !it.lines.some(isOf("Z")) || it.sellerNumber !== "",
  "BR-Z-05": (it) => it.lines.filter(isOf("Z")).every(({ percent }) => percent === 0),
  "BR-Z-10": (it) => it.rates.filter(isOf("Z")).every(({ code, reason }) => code + reason === ""),
  "BR-E-02": (it) => !it.lines.some(isOf("E")) || it.sellerNumber !== "",
  "BR-E-05": (it) => it.lines.filter(isOf("E")).every(({ percent }) => percent === 0),
  "BR-E-10": (it) => it.rates.filter(isOf("E")).every(({ code, reason }) => code + reason !== ""),
  "BR-AE-02": (it) => !it.lines.some(isOf("AE")) || (it.sellerVat !== "" && it.buyerVat !== ""),
  "BR-AE-05": (it) => it.lines.filter(isOf("AE")).every(({ percent }) => percent === 0),
  "BR-AE-09": (it) => it.rates.filter(isOf("AE")).every(({ tax }) => tax === 0),
  "BR-AE-10": (it) => it.rates.filter(isOf("AE")).every(({ code }) => code === "VATEX-EU-AE"),
  "BR-O-02": (it) => !it.lines.some(isOf("O")) || it.sellerVat + it.buyerVat === "",
  "BR-O-05": (it) => it.lines.filter(isOf("O")).every(({ percent }) => percent === null),
  "BR-O-09": (it) => it.rates.filter(isOf("O")).every(({ tax }) => tax === 0),
  "BR-O-10": (it) => it.rates.filter(isOf("O")).every(({ code }) => code === "VATEX-EU-O"),
  "BR-O-11": (it) => !it.rates.some(isOf("O")) || it.rates.length === 1,
  "BR-O-12": (it) => !it.lines.some(isOf("O")) || it.lines.every(isOf("O")),
}

/** Ids of the business rules of EN 16931 that a document in UBL breaks. */
export function brokenRules(xml: string): readonly string[] {
  const it = parsedUbl(xml)
  return Object.entries(rules).flatMap(([id, holds]) => (holds(it) ? [] : [id]))
}

/** What the rules ask of a document in UBL. Amounts in minor units. */
export function parsedUbl(xml: string) {
  const whole = create(xml).end({ format: "object" }) as Element
  const root = (whole.Invoice ?? whole.CreditNote) as Element
  const lines = listOf(root["cac:InvoiceLine"] ?? root["cac:CreditNoteLine"]).map((line) => ({
    ...categoryIn(line, "cac:Item", "cac:ClassifiedTaxCategory"),
    name: textIn(line, "cac:Item", "cbc:Name"),
    net: minorIn(line, "cbc:LineExtensionAmount"),
    price: minorIn(line, "cac:Price", "cbc:PriceAmount"),
    quantity: textIn(line, "cbc:InvoicedQuantity") || textIn(line, "cbc:CreditedQuantity"),
  }))
  // The first is in the currency of the document, one in the accounting currency follows.
  const [taxTotal = {}, ...others] = listOf(root["cac:TaxTotal"])
  const rates = listOf(taxTotal["cac:TaxSubtotal"]).map((rate) => ({
    ...categoryIn(rate, "cac:TaxCategory"),
    net: minorIn(rate, "cbc:TaxableAmount"),
    tax: minorIn(rate, "cbc:TaxAmount"),
  }))
  const party = (role: string) => childOf(childOf(root, role), "cac:Party")
  const [seller, buyer] = [party("cac:AccountingSupplierParty"), party("cac:AccountingCustomerParty")]
  const [sellerVat, buyerVat] = [vatOf(seller), vatOf(buyer)]
  return {
    text: (...path: string[]) => textIn(root, ...path),
    seller: (...path: string[]) => textIn(seller, ...path),
    buyer: (...path: string[]) => textIn(buyer, ...path),
    sellerVat,
    buyerVat,
    vatNumbers: [sellerVat, buyerVat].filter((it) => it !== ""),
    sellerNumber: textIn(seller, "cac:PartyTaxScheme", "cbc:CompanyID"),
    tax: minorIn(taxTotal, "cbc:TaxAmount"),
    accounting: {
      currency: textIn(root, "cbc:TaxCurrencyCode"),
      totals: others.map((total) => ({
        currency: textIn(total, "cbc:TaxAmount", "@currencyID"),
        tax: minorIn(total, "cbc:TaxAmount"),
        hasRates: "cac:TaxSubtotal" in total,
      })),
    },
    total: (name: string) => minorIn(root, "cac:LegalMonetaryTotal", `cbc:${name}`),
    lines,
    rates,
  }
}

function vatOf(party: Element): string {
  const scheme = textIn(party, "cac:PartyTaxScheme", "cac:TaxScheme", "cbc:ID")
  return scheme === "VAT" ? textIn(party, "cac:PartyTaxScheme", "cbc:CompanyID") : ""
}

function categoryIn(element: Element, ...path: string[]) {
  const percent = textIn(element, ...path, "cbc:Percent")
  return {
    category: textIn(element, ...path, "cbc:ID"),
    percent: percent === "" ? null : Number(percent),
    code: textIn(element, ...path, "cbc:TaxExemptionReasonCode"),
    reason: textIn(element, ...path, "cbc:TaxExemptionReason"),
  }
}

function isOf(wanted: string) {
  return ({ category }: { readonly category: string }) => category === wanted
}

function childOf(element: Element, name: string): Element {
  const child = element[name]
  return typeof child === "object" && child !== null ? (child as Element) : {}
}

function listOf(found: unknown): readonly Element[] {
  if (found === undefined) return []
  return (Array.isArray(found) ? found : [found]) as Element[]
}

/** Text at the end of a path; empty if there is none. */
function textIn(element: Element, ...path: string[]): string {
  const names = path.slice(0, -1)
  const last = names.reduce(childOf, element)[path.at(-1) ?? ""]
  if (typeof last === "string") return last
  const text = last === undefined ? "" : (last as Element)["#"]
  return typeof text === "string" ? text : ""
}

function minorIn(element: Element, ...path: string[]): number {
  return Math.round(Number(textIn(element, ...path)) * 100)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
