import type { AccountingEntry } from "~/billing/documents/accounting"
import { type Quarter, quarterText, signedAccountingSum, type TaxSum } from "~/domain/accounting/accounting"
import type { CorrectionRow, SupplyRow } from "~/domain/accounting/one-stop-shop"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import { includes } from "~/domain/includes"
import { money } from "~/domain/money/money"
import { taxByRate } from "~/domain/orders/order-tax"
import { exchangeRateText } from "~/domain/tax/exchange-rate"
import type { TaxRules } from "~/domain/tax/tax"
import { type Cell, CSV_START, csvLine } from "~/http/csv"
import type { AccountingDays } from "./accounting-days.server"
import {
  type AccountingSources,
  documentPages,
  documentSpan,
  documentSums,
  entryPages,
  quarterReport,
} from "./show-accounting.server"

/** Files for bookkeepers: documents by rate, entries of the ledgers, and tax by country and rate. */
export const accountingFileKinds = ["invoices", "payments", "tax"] as const
export type AccountingFileKind = (typeof accountingFileKinds)[number]

/** Whether a URL names a kind of file. */
export function isAccountingFileKind(text: string): text is AccountingFileKind {
  return includes(accountingFileKinds, text)
}

function line(cells: readonly Cell[]): string {
  return csvLine(cells)
}

/** A file for some days as CSV lines, written while they are read. Amounts are decimals with a point, times are UTC. */
export function accountingFile(
  kind: AccountingFileKind,
  sources: AccountingSources,
  days: AccountingDays,
): AsyncGenerator<string> {
  return files[kind](sources, days)
}

const files: Readonly<
  Record<AccountingFileKind, (sources: AccountingSources, days: AccountingDays) => AsyncGenerator<string>>
> = { invoices: invoiceFile, payments: paymentFile, tax: taxFile }

/** Of documents that state their tax in the accounting currency. */
const accountingHead = ["accounting net", "accounting tax", "accounting currency"]

function accountingCells(accounting: TaxSum["accounting"]): readonly Cell[] {
  if (!accounting) return [null, null, null]
  const { currency, net, tax } = accounting
  return [{ minor: net, currency }, { minor: tax, currency }, currency]
}

const invoiceHead = [
  "number",
  "kind",
  "date",
  "supplied",
  "order",
  "country",
  "buyer tax number",
  "place",
  "seller tax number",
  "rate",
  "net",
  "tax",
  "gross",
  "currency",
  "corrects",
  "exchange rate",
  ...accountingHead,
]

/** A row for each document and rate. Amounts of credit notes are negative. */
async function* invoiceFile(sources: AccountingSources, days: AccountingDays): AsyncGenerator<string> {
  yield `${CSV_START}${line(invoiceHead)}`
  for await (const page of documentPages(sources, documentSpan(days)))
    yield page.flatMap(invoiceRows).map(line).join("")
}

function invoiceRows(document: IssuedDocument): readonly (readonly Cell[])[] {
  const { number, kind, issuedOn, suppliedOn, orderId, place, buyer, seller, currency, corrects } = document
  const sign = kind === "credit-note" ? -1 : 1
  return taxByRate(document).map(({ basisPoints, net, tax, gross }) => [
    number,
    kind,
    issuedOn,
    suppliedOn,
    orderId,
    place.country,
    buyer.taxNumber,
    place.kind,
    seller.taxNumber,
    basisPoints / 100,
    ...[net, tax, gross].map((minor) => money(sign * minor, currency)),
    currency,
    corrects?.number ?? null,
    document.accounting ? exchangeRateText(document.accounting.exchange) : null,
    ...accountingCells(signedAccountingSum(document, basisPoints)),
  ])
}

const paymentHead = [
  "time",
  "kind",
  "cause",
  "gateway",
  "transaction",
  "order",
  "documents",
  "amount",
  "currency",
]

/** A row for each entry of the ledgers, with the documents of its order. */
async function* paymentFile(sources: AccountingSources, days: AccountingDays): AsyncGenerator<string> {
  yield `${CSV_START}${line(paymentHead)}`
  for await (const page of entryPages(sources, days)) {
    const orderIds = [...new Set(page.flatMap(({ orderId }) => orderId ?? []))]
    const numbers = await sources.documents.taxDocumentNumbers(orderIds)
    yield page.map((entry) => line(paymentRow(entry, numbers.get(entry.orderId ?? "") ?? []))).join("")
  }
}

function paymentRow(entry: AccountingEntry, numbers: readonly string[]): readonly Cell[] {
  const { at, kind, cause, gateway, transactionId, orderId, amount } = entry
  const documents = numbers.join(" ")
  const time = new Date(at).toISOString()
  return [time, kind, cause, gateway, transactionId, orderId, documents, amount, amount.currency]
}

async function* taxFile(sources: AccountingSources, days: AccountingDays): AsyncGenerator<string> {
  const head = ["country", "place", "rate", "net", "tax", "gross", "currency", ...accountingHead]
  const { tax } = await documentSums(sources, days)
  yield `${CSV_START}${[head, ...tax.map(taxRow)].map(line).join("")}`
}

function taxRow({
  country,
  kind,
  basisPoints,
  net,
  tax,
  gross,
  currency,
  accounting,
}: TaxSum): readonly Cell[] {
  const amounts = [net, tax, gross].map((minor) => money(minor, currency))
  return [country, kind, basisPoints / 100, ...amounts, currency, ...accountingCells(accounting)]
}

/** The one-stop-shop report of a quarter as CSV lines. `of`: the quarter that a correction is of. */
export async function* quarterFile(
  sources: Pick<AccountingSources, "documents">,
  rules: Pick<TaxRules, "registrations">,
  quarter: Quarter,
): AsyncGenerator<string> {
  const { supplies, corrections } = await quarterReport(sources, rules, quarter)
  const head = ["kind", "quarter", "of", "country", "rate", "net", "tax", "currency"]
  const rows = [
    ...supplies.map((row) => reportRow(quarter, "supply", { ...row, of: quarter })),
    ...corrections.map((row) => reportRow(quarter, "correction", row)),
  ]
  yield `${CSV_START}${[head, ...rows].map(line).join("")}`
}

function reportRow(
  quarter: Quarter,
  kind: "supply" | "correction",
  { of, country, basisPoints, net, tax, currency }: SupplyRow & Pick<CorrectionRow, "of">,
): readonly Cell[] {
  const amounts = [net, tax].map((minor) => money(minor, currency))
  return [kind, quarterText(quarter), quarterText(of), country, basisPoints / 100, ...amounts, currency]
}
