import type { Accounting, AccountingEntry } from "~/billing/documents/accounting"
import type { DocumentSpan, TaxDocuments } from "~/billing/documents/tax-documents"
import { addedSums, daysOfQuarter, type Quarter, type TaxSum, taxSums } from "~/domain/accounting/accounting"
import { joinedReports, type OneStopShopReport, oneStopShopReport } from "~/domain/accounting/one-stop-shop"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import { type Money, plus } from "~/domain/money/money"
import type { TaxRules } from "~/domain/tax/tax"
import type { AccountingDays } from "./accounting-days.server"

/** What the accounting is read from. */
export type AccountingSources = {
  readonly ledgers: Accounting
  readonly documents: Pick<TaxDocuments, "taxDocumentsIn" | "taxDocumentNumbers">
}

const AT_ONCE = 200

/** Documents of a span, a page at a time. */
export async function* documentPages(
  { documents }: Pick<AccountingSources, "documents">,
  span: DocumentSpan,
): AsyncGenerator<readonly IssuedDocument[]> {
  let after: string | null = null
  do {
    const page = await documents.taxDocumentsIn(span, { after, limit: AT_ONCE })
    yield page.documents
    after = page.next
  } while (after !== null)
}

/** Entries of the ledgers in a span, a page at a time. */
export async function* entryPages(
  { ledgers }: Pick<AccountingSources, "ledgers">,
  { from, until }: AccountingDays,
): AsyncGenerator<readonly AccountingEntry[]> {
  let after: string | null = null
  do {
    const page = await ledgers.accountingEntries({ from, until }, { after, limit: AT_ONCE })
    yield page.entries
    after = page.next
  } while (after !== null)
}

/** What entries of one kind, cause and gateway come to. */
export type MoneySum = Pick<AccountingEntry, "kind" | "cause" | "gateway" | "amount"> & {
  readonly count: number
}

export type AccountingSums = {
  readonly invoices: number
  readonly creditNotes: number
  readonly tax: readonly TaxSum[]
  readonly money: readonly MoneySum[]
}

/** The sums of some days: tax by country and rate, and money by gateway. Reads page by page and keeps the sums alone. */
export async function showAccounting(
  sources: AccountingSources,
  days: AccountingDays,
): Promise<AccountingSums> {
  const [documents, money] = await Promise.all([documentSums(sources, days), moneySums(sources, days)])
  return { ...documents, money }
}

/** Tax by country and rate of documents issued in some days, with their numbers. */
export async function documentSums(
  sources: AccountingSources,
  days: AccountingDays,
): Promise<Omit<AccountingSums, "money">> {
  let [invoices, creditNotes] = [0, 0]
  let tax: readonly TaxSum[] = []
  for await (const page of documentPages(sources, documentSpan(days))) {
    const notes = page.filter(({ kind }) => kind === "credit-note").length
    creditNotes += notes
    invoices += page.length - notes
    tax = addedSums([...tax, ...taxSums(page)])
  }
  return { invoices, creditNotes, tax }
}

/** The days of the accounting as the documents are asked for: both included. */
export function documentSpan({ firstDay, lastDay }: AccountingDays): DocumentSpan {
  return { from: firstDay, until: lastDay }
}

async function moneySums(sources: AccountingSources, days: AccountingDays): Promise<readonly MoneySum[]> {
  const sums = new Map<string, MoneySum>()
  for await (const page of entryPages(sources, days))
    for (const entry of page) {
      const { kind, cause, gateway, amount } = entry
      const key = [kindOrder.indexOf(kind), gateway ?? "", cause ?? "", amount.currency].join(" ")
      sums.set(key, withEntry(sums.get(key), { kind, cause, gateway, amount }))
    }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

const kindOrder: readonly AccountingEntry["kind"][] = ["payment", "refund", "credit"]

function withEntry(before: MoneySum | undefined, entry: Omit<MoneySum, "count">): MoneySum {
  const amount: Money = before ? plus(before.amount, entry.amount) : entry.amount
  return { ...entry, amount, count: (before?.count ?? 0) + 1 }
}

/** What the one-stop-shop return of a quarter asks for. `rules`: those that the shop sells by. */
export async function quarterReport(
  sources: Pick<AccountingSources, "documents">,
  rules: Pick<TaxRules, "registrations">,
  quarter: Quarter,
): Promise<OneStopShopReport> {
  let report: OneStopShopReport = { supplies: [], corrections: [] }
  for await (const page of documentPages(sources, daysOfQuarter(quarter)))
    report = joinedReports(report, oneStopShopReport(page, rules, quarter))
  return report
}
