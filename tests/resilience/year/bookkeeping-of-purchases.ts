import { expect } from "vitest"
import { accountingDaysIn } from "~/flows/admin/accounting/accounting-days.server"
import { type AccountingFileKind, accountingFile } from "~/flows/admin/accounting/accounting-files.server"
import type { Buyer } from "./buyers-of-purchases"
import { balanceOf, type Checked } from "./money-of-purchases"

type Row = Readonly<Record<string, string>>

/**
 * The files for a bookkeeper have in each currency what customers have paid and got back, and what became account credit; those of tax what
 * those of the documents have. The months together have what the whole time has.
 */
export async function expectBookkeeping(checked: Checked, buyers: readonly Buyer[]): Promise<void> {
  const months = monthsUntil(checked.services.now())
  const [payments = [], invoices = [], tax = []] = await Promise.all(
    (["payments", "invoices", "tax"] as const).map(async (kind) => {
      const files = await Promise.all(months.map((days) => rowsOf(checked, kind, days)))
      const whole = await rowsOf(checked, kind, { from: months[0]?.from, to: months.at(-1)?.to })
      expect(totalsOf(files.flat())).toEqual(totalsOf(whole))
      return whole
    }),
  )
  expect(totalsOf(tax)).toEqual(totalsOf(invoices))
  for (const { currency, sums, customerId } of buyers) {
    const own = payments.filter((it) => it.currency === currency)
    const unrecorded = [...sums.withoutEntry.values()].reduce((sum, it) => sum + it, 0)
    expect(totalOf(own.filter(({ kind }) => kind !== "credit"))).toBe(sums.came - sums.back - unrecorded)
    const credit = await balanceOf(checked, { customerId, currency })
    expect(totalOf(own.filter(({ kind }) => kind === "credit"))).toBe(credit)
  }
}

type Days = { readonly from?: string | undefined; readonly to?: string | undefined }

/** The months from that in which the sequences begin. */
function monthsUntil(now: number): readonly Required<Days>[] {
  const end = new Date(now)
  const count = (end.getUTCFullYear() - 2026) * 12 + end.getUTCMonth() - 10
  return Array.from({ length: count + 2 }, (_, at) => {
    const dayOf = (month: number, day: number) =>
      new Date(Date.UTC(2026, month, day)).toISOString().slice(0, 10)
    return { from: dayOf(10 + at, 1), to: dayOf(11 + at, 0) }
  })
}

async function rowsOf({ billing, services }: Checked, kind: AccountingFileKind, typed: Days): Promise<Row[]> {
  const days = accountingDaysIn(typed, { timeZone: services.shop.timeZone, now: services.now() })
  if (!days) return expect.fail("no days")
  const sources = { ledgers: billing.operator, documents: billing.documents }
  let text = ""
  for await (const part of accountingFile(kind, sources, days)) text += part
  const [head = [], ...rows] = text
    .replace("\uFEFF", "")
    .trim()
    .split("\r\n")
    .map((row) => row.split(","))
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])))
}

/** By currency, and kind if it is of the ledgers. */
function totalsOf(rows: readonly Row[]): Readonly<Record<string, readonly number[]>> {
  const groups = Object.groupBy(rows, ({ currency = "" }) => currency)
  const names = ["amount", "net", "tax", "gross"]
  return Object.fromEntries(
    Object.entries(groups).map(([currency, own = []]) => [currency, names.map((name) => totalOf(own, name))]),
  )
}

function totalOf(rows: readonly Row[], name = "amount"): number {
  return rows.reduce((sum, row) => sum + Math.round(100 * Number(row[name] ?? 0)), 0)
}
