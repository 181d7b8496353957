import fc from "fast-check"
import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { csvFile, csvLines } from "./csv"

test("writes rows with the byte order mark, and quotes what would end a cell", () => {
  const rows = [
    ["2026-11-20", 'Café "Central", Graz'],
    [-3, null],
  ]
  expect(csvFile(["Date", "Customer"], rows)).toBe(
    '\uFEFFDate,Customer\r\n2026-11-20,"Café ""Central"", Graz"\r\n-3,\r\n',
  )
  expect(csvFile(["a", "b;c"], [], { separator: ";" })).toBe('\uFEFFa;"b;c"\r\n')
})

test("an amount below zero is a number with two decimals, not a formula", () => {
  const file = csvFile(["amount"], [[money(-1_250, "EUR")], ["-12.50"]])
  expect(file).toBe("\uFEFFamount\r\n-12.50\r\n'-12.50\r\n")
})

test.each([
  "=HYPERLINK(1)",
  "+1",
  "-1+cmd",
  "@SUM(1)",
  "  =1",
  "\t=1",
  "\r=1",
  "\n=1",
  "\u200b=1",
  "＝1",
  "\ttext",
])("%j is no formula for a spreadsheet", (text) => {
  const [cell = ""] = csvFile([text], []).slice(1).split("\r\n", 1)
  expect(cell).toMatch(/^"?'/)
})

test("no text ends its cell, and none begins as a formula", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const cell = csvFile([text], []).slice(1, -2)
      const content = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      expect([text, `'${text}`]).toContain(content)
      expect(content).not.toMatch(/^\s*[=+\-@]/)
      if (!cell.startsWith('"')) expect(cell).not.toMatch(/[",;\r\n]/)
    }),
  )
})

test("a table is written line by line, in the order of its columns", async () => {
  const columns = {
    code: (row: { code: string }) => row.code,
    sum: (row: { sum: number }) => money(row.sum, "EUR"),
  }
  const lines: string[] = []
  for await (const line of csvLines(columns, [{ code: "=A1", sum: -500 }])) lines.push(line)
  expect(lines).toEqual(["\uFEFFcode,sum\r\n", "'=A1,-5.00\r\n"])
})
