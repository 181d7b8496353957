import { create } from "xmlbuilder2"
import { accountingTaxTotal } from "~/domain/accounting/accounting-tax"
import type { DocumentLine, IssuedDocument } from "~/domain/accounting/tax-document"
import { type Money, toDecimal } from "~/domain/money/money"
import { taxByRate, taxTotal } from "~/domain/orders/order-tax"
import {
  buyerCountryOf,
  buyerName,
  documentView,
  lineText,
  remarkTexts,
  type ShowingShop,
  sellerName,
  untaxedReason,
} from "./document-view"

const INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
const CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"
const AGGREGATES = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
const BASICS = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"

/** Codes of UNTDID 1001. */
const typeCodes = { invoice: "380", "credit-note": "381" } as const

/** "One": a piece, of UN/ECE recommendation 20. */
const PIECE = "C62"

/** Characters that XML 1.0 has no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

/** Categories of UNTDID 5305: standard rate, zero rate, exempt, reverse charge, outside the scope. */
type Category = "S" | "Z" | "E" | "AE" | "O"

/** A node of xmlbuilder2: keys with `@` are attributes, null is left out. */
type Node = { readonly [name: string]: string | Node | readonly Node[] | null }

/**
 * An issued document as UBL 2.1 by EN 16931-1:2017, without an extension of a country or network.
 * A document may name a buyer by the words of its language, since the standard wants a name of consumers too (BR-07).
 */
export function ublOf(document: IssuedDocument, shop: ShowingShop): string {
  const isInvoice = document.kind === "invoice"
  const body = {
    "cbc:CustomizationID": "urn:cen.eu:en16931:2017",
    "cbc:ID": document.number,
    "cbc:IssueDate": document.issuedOn,
    [isInvoice ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode"]: typeCodes[document.kind],
    "cbc:Note": [untaxedReason(document) ?? [], remarkTexts(document)].flat().join(" ") || null,
    "cbc:DocumentCurrencyCode": document.currency,
    "cbc:TaxCurrencyCode": document.accounting?.currency ?? null,
    "cac:OrderReference": { "cbc:ID": document.orderId },
    "cac:BillingReference": document.corrects && {
      "cac:InvoiceDocumentReference": {
        "cbc:ID": document.corrects.number,
        "cbc:IssueDate": document.corrects.issuedOn,
      },
    },
    "cac:AccountingSupplierParty": { "cac:Party": sellerParty(document, shop) },
    "cac:AccountingCustomerParty": { "cac:Party": buyerParty(document) },
    "cac:Delivery": { "cbc:ActualDeliveryDate": document.suppliedOn },
    "cac:PaymentTerms": { "cbc:Note": paymentNote(document, shop) },
    "cac:TaxTotal": [taxTotalNode(document), ...accountingTaxNodes(document)],
    "cac:LegalMonetaryTotal": totalsNode(document),
    [isInvoice ? "cac:InvoiceLine" : "cac:CreditNoteLine"]: document.lines.map((line, at) =>
      lineNode(document, line, at),
    ),
  }
  const root = create({ version: "1.0", encoding: "UTF-8" })
    .ele(isInvoice ? INVOICE : CREDIT_NOTE, isInvoice ? "Invoice" : "CreditNote")
    .att("http://www.w3.org/2000/xmlns/", "xmlns:cac", AGGREGATES)
    .att("http://www.w3.org/2000/xmlns/", "xmlns:cbc", BASICS)
  return root.ele(written(body)).doc().end({ prettyPrint: true })
}

/**
 * Leaves out what is null, and characters that XML cannot hold. The library takes "&x;" for a reference when it reads a text and
 * again when it writes it, where a name can have that by chance: so an ampersand is escaped for both.
 */
function written(node: Node): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) => (value === null ? [] : [[name, writtenValue(value)]])),
  )
}

function writtenValue(value: string | Node | readonly Node[]): unknown {
  if (typeof value === "string") return value.replace(UNWRITABLE, "").replaceAll("&", "&amp;amp;")
  return isList(value) ? value.map(written) : written(value)
}

function isList(value: Node | readonly Node[]): value is readonly Node[] {
  return Array.isArray(value)
}

/** Category of a rate. A sale outside the scope has no number of a seller, whom an exempt one needs (BR-E-02, BR-O-02). */
function categoryOf({ place, seller }: IssuedDocument, basisPoints: number): Category {
  if (place.kind === "reverse-charge") return "AE"
  if (place.kind === "exempt" && seller.taxNumber !== null) return "E"
  if (place.kind !== "taxed") return "O"
  return basisPoints > 0 ? "S" : "Z"
}

function sellerParty(document: IssuedDocument, { brand }: ShowingShop): Node {
  const { seller } = document
  const number = categoryOf(document, 0) === "O" ? null : seller.taxNumber
  return {
    // Without a number for tax the standard wants another identifier (BR-CO-26).
    "cac:PartyIdentification":
      number !== null && isVatNumber(number) ? null : { "cbc:ID": sellerName(document, brand) },
    "cac:PostalAddress": addressNode(seller.address, seller.country),
    "cac:PartyTaxScheme": number === null ? null : taxScheme(number),
    "cac:PartyLegalEntity": { "cbc:RegistrationName": sellerName(document, brand) },
    "cac:Contact": seller.email === null ? null : { "cbc:ElectronicMail": seller.email },
  }
}

function buyerParty(document: IssuedDocument): Node {
  const { buyer } = document
  const number = categoryOf(document, 0) === "O" ? null : buyer.taxNumber
  return {
    "cac:PostalAddress": addressNode(buyer.address, buyerCountryOf(document)),
    "cac:PartyTaxScheme": number !== null && isVatNumber(number) ? taxScheme(number) : null,
    "cac:PartyLegalEntity": { "cbc:RegistrationName": buyerName(document) },
    "cac:Contact": buyer.email === null ? null : { "cbc:ElectronicMail": buyer.email },
  }
}

/** Numbers for VAT begin with a country's code (BR-CO-09); others are of a local register. */
function isVatNumber(number: string): boolean {
  return /^[A-Z]{2}/.test(number)
}

function taxScheme(number: string): Node {
  return {
    "cbc:CompanyID": number,
    "cac:TaxScheme": { "cbc:ID": isVatNumber(number) ? "VAT" : "LOC" },
  }
}

/** The standard has three lines of an address. */
function addressNode([street, additional, ...rest]: readonly string[], country: string): Node {
  return {
    "cbc:StreetName": street ?? null,
    "cbc:AdditionalStreetName": additional ?? null,
    "cac:AddressLine": rest.length > 0 ? { "cbc:Line": rest.join(", ") } : null,
    "cac:Country": { "cbc:IdentificationCode": country },
  }
}

/** How it was paid, in words: an amount that is due needs terms (BR-CO-25), and one that is paid has them too. */
function paymentNote(document: IssuedDocument, shop: ShowingShop): string {
  const { paymentsTitle, payments } = documentView(document, shop)
  return payments.length === 0
    ? document.invoiceId
    : `${paymentsTitle}: ${payments.map(({ label, text }) => `${label}: ${text}`).join("; ")}`
}

/**
 * The tax of each rate as the shop reckons it, from prices that include it: it can differ by a minor unit from the rate of the
 * net sum, which validators of the standard allow (BR-CO-17, BR-S-09).
 */
function taxTotalNode(document: IssuedDocument): Node {
  const { lines } = document
  return {
    "cbc:TaxAmount": amountNode(document, taxTotal({ lines }).tax),
    "cac:TaxSubtotal": taxByRate({ lines }).map(({ basisPoints, net, tax }) => ({
      "cbc:TaxableAmount": amountNode(document, net),
      "cbc:TaxAmount": amountNode(document, tax),
      "cac:TaxCategory": { ...categoryNode(document, basisPoints, reasonOf(document)) },
    })),
  }
}

/** The tax in the accounting currency (BT-111), which has no sums by rate. */
function accountingTaxNodes({ accounting }: IssuedDocument): readonly Node[] {
  if (!accounting) return []
  return [{ "cbc:TaxAmount": amountNode(accounting, accountingTaxTotal(accounting)) }]
}

/** A code for the reason, or its words: exemptions differ in their reasons, so they have no code. */
function reasonOf(document: IssuedDocument): Node {
  const code = { AE: "VATEX-EU-AE", O: "VATEX-EU-O", E: null, S: null, Z: null }[categoryOf(document, 0)]
  return { "cbc:TaxExemptionReasonCode": code, "cbc:TaxExemptionReason": untaxedReason(document) }
}

function categoryNode(document: IssuedDocument, basisPoints: number, reason: Node): Node {
  const category = categoryOf(document, basisPoints)
  return {
    "cbc:ID": category,
    // Outside the scope there is no rate (BR-O-05).
    "cbc:Percent": category === "O" ? null : toDecimal({ minor: basisPoints, currency: document.currency }),
    ...reason,
    "cac:TaxScheme": { "cbc:ID": "VAT" },
  }
}

/** What was paid beyond the total is account credit, and not of the document. */
function totalsNode(document: IssuedDocument): Node {
  const { net, gross } = taxTotal(document)
  const paid = Math.min(
    gross,
    document.payments.reduce((sum, { amount }) => sum + amount, 0),
  )
  return {
    "cbc:LineExtensionAmount": amountNode(document, net),
    "cbc:TaxExclusiveAmount": amountNode(document, net),
    "cbc:TaxInclusiveAmount": amountNode(document, gross),
    "cbc:PrepaidAmount": amountNode(document, paid),
    "cbc:PayableAmount": amountNode(document, gross - paid),
  }
}

/** The price is that of the whole quantity: a single piece can cost a fraction of a minor unit. */
function lineNode(document: IssuedDocument, line: DocumentLine, at: number): Node {
  const isInvoice = document.kind === "invoice"
  const { quantity, net, basisPoints } = line
  const pieces = { "@unitCode": PIECE, "#": String(quantity) }
  return {
    "cbc:ID": String(at + 1),
    [isInvoice ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity"]: pieces,
    "cbc:LineExtensionAmount": amountNode(document, net),
    "cac:Item": {
      "cbc:Name": lineText(line, document.locale),
      "cac:ClassifiedTaxCategory": categoryNode(document, basisPoints, {}),
    },
    "cac:Price": { "cbc:PriceAmount": amountNode(document, net), "cbc:BaseQuantity": pieces },
  }
}

function amountNode({ currency }: Pick<Money<string>, "currency">, minor: number): Node {
  return { "@currencyID": currency, "#": toDecimal({ minor, currency }) }
}
