import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { runCommand } from "~/cli/main.server"
import { ublOf } from "~/documents/ubl.server"
import { documentSums } from "~/domain/accounting/tax-document"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import { CSV_START } from "~/http/csv"
import { unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { SECRET } from "../../../../tests/fixtures/admin-cli"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { importOddPrices } from "../../../../tests/fixtures/kinds-of-sale"
import {
  type Book,
  type BookedSale,
  monthTaxFile,
  sellAMonth,
} from "../../../../tests/fixtures/month-of-sales"
import { madridShop } from "../../../../tests/fixtures/printed-documents"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"
import { writeMigratedDatabase } from "../../../../tests/support/db/migrated-sqlite"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"
import { brokenRules } from "../../../../tests/support/xml/en16931"

const folder = temporaryFolder()
let shop: TestShop
let book: Book
beforeAll(async () => {
  const file = join(folder, "boxoffice.db")
  await writeMigratedDatabase(file)
  const db = openDatabase({ url: file, timeoutMs: 10_000 })
  const taxFile = TaxFile.parse(monthTaxFile)
  const tax = taxRulesOf(taxFile)
  if (!tax) throw new Error("Nothing is taxed")
  shop = await openTestShop({ databaseUrl: file, tax, taxFile, documents })
  await importOddPrices({ db, newId: unique })
  await db.destroy()
  book = await sellAMonth(shop)
}, 120_000)
afterAll(async () => {
  await shop.billing.close()
  rmSync(folder, { recursive: true })
})

/** A fraction rounded to an integer with half of one up, in integers alone. */
const rounded = (of: number, over: number) => Math.floor((2 * of + over) / (2 * over))

type Amounts = { readonly net: number; readonly tax: number; readonly gross: number }

const taxed = (gross: number, basisPoints: number): Amounts => {
  const tax = rounded(gross * basisPoints, 10_000 + basisPoints)
  return { net: gross - tax, tax, gross }
}

/** What documents of a sale come to by hand: the invoice, then each credit note as the difference that it makes. */
function documentsByHand({ gross, basisPoints, back }: BookedSale): readonly Amounts[] {
  const whole = taxed(gross, basisPoints)
  let before = 0
  const notes = back.map((minor) => {
    const taxUntil = (amount: number) => rounded(whole.tax * amount, whole.gross)
    const tax = taxUntil(before + minor) - taxUntil(before)
    before += minor
    return { net: minor - tax, tax, gross: minor }
  })
  return [whole, ...notes]
}

/** Net and tax of what is left of a sale in the accounting currency, of which each document has the difference that it makes. */
function convertedByHand(sale: BookedSale): Pick<Amounts, "net" | "tax"> | null {
  const { exchange } = sale
  if (!exchange || sale.basisPoints === 0) return null
  const [invoice, ...notes] = documentsByHand(sale)
  const left = (part: "net" | "tax") =>
    convert(invoice?.[part] ?? 0) - convert(notes.reduce((sum, note) => sum + note[part], 0))
  const convert = (minor: number) => rounded(minor * exchange[0], exchange[1])
  return { net: left("net"), tax: left("tax") }
}

/** "DE taxed 19 EUR" to net, tax and gross, and net and tax in the accounting currency. */
type Sums = Readonly<Record<string, readonly number[]>>

function summed(rows: readonly (readonly [string, readonly number[]])[]): Sums {
  const sums = new Map<string, readonly number[]>()
  for (const [key, amounts] of rows)
    sums.set(
      key,
      amounts.map((amount, at) => amount + (sums.get(key)?.[at] ?? 0)),
    )
  return Object.fromEntries([...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function taxByHand(): Sums {
  return summed(
    book.sales.map((sale) => {
      const [invoice, ...notes] = documentsByHand(sale)
      const left = (part: keyof Amounts) =>
        (invoice?.[part] ?? 0) - notes.reduce((sum, note) => sum + note[part], 0)
      const converted = convertedByHand(sale)
      const { country, place, basisPoints, currency } = sale
      return [
        `${country} ${place} ${basisPoints / 100} ${currency}`,
        [left("net"), left("tax"), left("gross"), converted?.net ?? 0, converted?.tax ?? 0],
      ] as const
    }),
  )
}

const moneyByHand = (): Sums =>
  summed(book.money.map((it) => [`${it.kind} ${it.gateway} ${it.currency}`, [it.minor]]))

async function cli(line: string): Promise<string> {
  let written = ""
  const shopFile = join(folder, "shop.json")
  writeFileSync(shopFile, JSON.stringify({ tax: monthTaxFile }))
  const { exitCode, output } = await runCommand(line.split(" "), {
    environment: {
      DATA_DIR: folder,
      PUBLIC_URL: "http://127.0.0.1:3000",
      SESSION_SECRETS: SECRET,
      TIME_ZONE: "UTC",
      SHOP_FILE: shopFile,
    },
    now: shop.services.now(),
    prompt: async () => "",
    warn: () => {},
    async write(content) {
      for await (const text of content) written += text
    },
  })
  if (exitCode !== 0) throw new Error(output)
  return written || output
}

const minorOf = (decimal = "") => Math.round(Number(decimal || 0) * 100)

async function csv(kind: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const text = await cli(`accounting export ${kind} - ${NOVEMBER} --reason audit`)
  const [head = [], ...rows] = text
    .slice(CSV_START.length)
    .trimEnd()
    .split("\r\n")
    .map((it) => it.split(","))
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell])))
}

const amountsIn = (row: Readonly<Record<string, string>>, ...names: string[]) =>
  names.map((name) => minorOf(row[name]))

const NOVEMBER = "--from 2026-11-01 --to 2026-11-30"

async function json(line: string) {
  return JSON.parse(await cli(`${line} --json`))
}

type JsonTax = {
  readonly country: string
  readonly place: string
  readonly percent: number
  readonly net: JsonAmount
  readonly tax: JsonAmount
  readonly gross: JsonAmount
  readonly accounting: { readonly net: JsonAmount; readonly tax: JsonAmount } | null
}
type JsonAmount = { readonly amount: string; readonly currency: string }

test("each document has what is reckoned by hand, and its XML keeps the rules of EN 16931", async () => {
  for (const [id, sales] of Map.groupBy(book.sales, ({ order }) => order.id)) {
    const issued = await shop.billing.documents.taxDocumentsOf(id)
    expect(issued.map(({ lines }) => documentSums(lines))).toEqual(sales.flatMap(documentsByHand))
    expect(issued.flatMap((it) => brokenRules(ublOf(it, madridShop)))).toEqual([])
  }
})

test("the files of invoices and of tax, and the command, have the tax that is reckoned by hand", async () => {
  for (const kind of ["invoices", "tax"]) {
    const rows = (await csv(kind)).map((row) => {
      const key = `${row.country} ${row.place} ${Number(row.rate)} ${row.currency}`
      return [key, amountsIn(row, "net", "tax", "gross", "accounting net", "accounting tax")] as const
    })
    expect(summed(rows)).toEqual(taxByHand())
  }
  const { tax, invoices, creditNotes } = await json(`accounting show ${NOVEMBER}`)
  const shown = (tax as readonly JsonTax[]).map(({ country, place, percent, net, accounting, ...it }) => {
    const amounts = [net, it.tax, it.gross, accounting?.net, accounting?.tax]
    return [
      `${country} ${place} ${percent} ${net.currency}`,
      amounts.map((amount) => minorOf(amount?.amount)),
    ] as const
  })
  expect(summed(shown)).toEqual(taxByHand())
  const inEuros = summed(
    Object.entries(taxByHand())
      .filter(([key]) => key.endsWith(" EUR"))
      .map(([, [net = 0, ofNet = 0, gross = 0]]) => ["EUR", [net, ofNet, gross]]),
  )
  const [, total = ""] = /^ {2}Total EUR +(.*)$/m.exec(await cli(`accounting show ${NOVEMBER}`)) ?? []
  expect(
    total
      .split(/ EUR */)
      .slice(0, 3)
      .map(minorOf),
  ).toEqual(inEuros.EUR)
  const notes = book.sales.reduce((sum, { back }) => sum + back.length, 0)
  expect([invoices, creditNotes]).toEqual([book.sales.length, notes])
})

test("the return of the one-stop shop has the sales to consumers abroad", async () => {
  const { supplies, corrections } = await json("accounting one-stop-shop 2026-Q4")
  const declared = (supplies as readonly JsonTax[]).map(
    ({ country, percent, net, tax }) =>
      [`${country} taxed ${percent} ${net.currency}`, [minorOf(net.amount), minorOf(tax.amount)]] as const,
  )
  const abroad = Object.entries(taxByHand()).filter(([key]) => /^(FR|AT) taxed /.test(key))
  expect(summed(declared)).toEqual(summed(abroad.map(([key, [net, tax]]) => [key, [net ?? 0, tax ?? 0]])))
  expect(corrections).toEqual([])
})

test("the file of payments and the command have the money that is written down by hand", async () => {
  const rows = (await csv("payments")).map(
    (row) => [`${row.kind} ${row.gateway || null} ${row.currency}`, amountsIn(row, "amount")] as const,
  )
  expect(summed(rows)).toEqual(moneyByHand())
  const shown = await json(`accounting show ${NOVEMBER}`)
  type Row = { readonly kind: string; readonly gateway: string | null; readonly amount: JsonAmount }
  const moved = (shown.money as readonly Row[]).map(
    ({ kind, gateway, amount: { amount, currency } }) =>
      [`${kind} ${gateway} ${currency}`, [minorOf(amount)]] as const,
  )
  expect(summed(moved)).toEqual(moneyByHand())
})

test("the command's total of the money is that of the documents", async () => {
  const shown = await cli(`accounting show ${NOVEMBER}`)
  for (const currency of ["EUR", "GBP"]) {
    const [, documents = ""] =
      new RegExp(`^ {2}Total ${currency} .* ([\\d.]+) ${currency}`, "m").exec(shown) ?? []
    const [, moved] =
      new RegExp(`^ {2}Total, less what became credit +([\\d.]+) ${currency}$`, "m").exec(shown) ?? []
    expect(documents).toBe(moved)
    const billed = book.sales.filter((it) => it.currency === currency)
    const gross = billed.reduce(
      (sum, it) => sum + it.gross - it.back.reduce((all, minor) => all + minor, 0),
      0,
    )
    expect(minorOf(moved)).toBe(gross)
  }
})

test("documents are the money less what became account credit, in each currency, and the doctor agrees", async () => {
  for (const currency of ["EUR", "GBP"] as const) {
    const billed = book.sales
      .filter((it) => it.currency === currency)
      .flatMap(({ gross, back }) => [gross, ...back.map((it) => -it)])
    const money = book.money
      .filter((it) => it.currency === currency)
      .map(({ kind, minor }) => (kind === "credit" ? -minor : minor))
    const sumOf = (all: readonly number[]) => all.reduce((sum, it) => sum + it, 0)
    expect(sumOf(billed)).toBe(sumOf(money))
  }
  expect(await shop.billing.operator.findImbalances()).toEqual([])
  const found = await shop.billing.operator.diagnose(shop.services.now())
  expect(found.filter(({ check, ok }) => check.startsWith("invoices and") && !ok)).toEqual([])
})
