import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { opened, paymentUpdate, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"
import { invoiceDocument, taxedLine } from "../../../../tests/fixtures/tax-document"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const NOON = Date.UTC(2026, 5, 15, 12)

/** An order of 20.00 that is paid at noon on 15 June 2026. */
async function pay() {
  const order = await placed(line.backend)
  const attempt = await opened(line.backend, order)
  await line.backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  return order
}

test("accounting show adds up the money of some days, of this month without options", async () => {
  await pay()
  await pay()
  const { output } = await line.command("accounting show --json")
  expect(JSON.parse(output)).toEqual({
    from: "2026-06-01",
    to: "2026-06-15",
    invoices: 0,
    creditNotes: 0,
    tax: [],
    money: [
      {
        kind: "payment",
        cause: null,
        gateway: "offshore",
        count: 2,
        amount: { amount: "40.00", currency: "EUR" },
      },
    ],
  })
  expect((await line.command("accounting show")).output).toContain("payment offshore")
  const before = await line.command("accounting show --from 2026-05-01 --to 2026-05-31 --json")
  expect(JSON.parse(before.output)).toMatchObject({ from: "2026-05-01", money: [] })
})

test("accounting show has net and tax in the accounting currency where the documents state them", async () => {
  const { id } = await pay()
  const accounting = {
    currency: "PLN",
    exchange: { base: "EUR", quote: "PLN", rate: "4.2534", from: "2026-06-01" },
    sums: [{ basisPoints: 1_900, net: 7_150, tax: 1_357 }],
  }
  const { net, tax, gross } = taxedLine(2_000)
  const content = JSON.stringify({ ...invoiceDocument(), lines: [taxedLine(2_000)], accounting })
  line.spoil(
    `insert into tax_documents (number, kind, year, sequence, order_id, position, issued_at, issued_on, currency, country, net, tax, gross, content) values ('2026-000001', 'invoice', 2026, 1, '${id}', 0, ${NOON}, '2026-06-15', 'EUR', 'DE', ${net}, ${tax}, ${gross}, '${content}')`,
  )
  const { output } = await line.command("accounting show --json")
  expect(JSON.parse(output).tax).toMatchObject([
    {
      gross: { amount: "20.00", currency: "EUR" },
      accounting: {
        net: { amount: "71.50", currency: "PLN" },
        tax: { amount: "13.57", currency: "PLN" },
      },
    },
  ])
  expect((await line.command("accounting show")).output).toMatch(
    /20\.00 EUR {2}net 71\.50 PLN, tax 13\.57 PLN/,
  )
})

test.each(["--from 2026-06-16", "--to yesterday", "--from 2026-02-30 --to 2026-03-01"])(
  "accounting show rejects %s",
  async (options) => {
    expect(await line.command(`accounting show ${options}`)).toMatchObject({ exitCode: 2 })
  },
)

test("accounting export writes a file that only its owner can read, and an entry in the audit log", async () => {
  const order = await pay()
  const file = join(line.folder, "payments.csv")
  const { exitCode, output } = await line.command(`accounting export payments ${file} --reason books`)
  expect([exitCode, output]).toEqual([0, `Written to ${file}.`])
  const [, row] = readFileSync(file, "utf8").trim().split("\r\n")
  expect(row).toContain(`,payment,,offshore,`)
  expect(row).toContain(`,${order.id},,20.00,EUR`)
  const [entry] = await line.backend.auditLog.newest({ limit: 1 })
  expect(entry).toMatchObject({ action: "export-accounting", operator: "admin CLI", outcome: "done" })
})

test("accounting export writes to standard output with -", async () => {
  await line.command("accounting export tax - --reason books")
  expect(line.written()).toBe(
    "\uFEFFcountry,place,rate,net,tax,gross,currency,accounting net,accounting tax,accounting currency\r\n",
  )
})

test.each([
  ["everything -", '"everything" is none of'],
  ["one-stop-shop -", "such as 2026-Q4"],
  ["one-stop-shop - --quarter 2026-Q5", "such as 2026-Q4"],
])("accounting export rejects %s", async (args, message) => {
  const { exitCode, output } = await line.command(`accounting export ${args} --reason books`)
  expect([exitCode, output]).toEqual([2, expect.stringContaining(message)])
})

test("accounting one-stop-shop needs a shop that taxes", async () => {
  expect(await line.command("accounting one-stop-shop 2026-Q2")).toEqual({
    exitCode: 1,
    output: "The shop taxes nothing: it has no one-stop-shop return.",
  })
})

test("accounting one-stop-shop shows a quarter of a shop that taxes", async () => {
  const file = join(line.folder, "shop.json")
  const registrations = [{ country: "DE", number: "DE123456789" }]
  const tax = { country: "DE", confirmedOn: "2026-05-01", registrations, oneStopShop: true }
  writeFileSync(file, JSON.stringify({ links: {}, apps: [], tax }))
  const shown = await line.command("accounting one-stop-shop 2026-Q2 --json", "", { SHOP_FILE: file })
  expect(JSON.parse(shown.output)).toEqual({ quarter: "2026-Q2", supplies: [], corrections: [] })
  const wrong = await line.command("accounting one-stop-shop June", "", { SHOP_FILE: file })
  expect(wrong.exitCode).toBe(2)
})
