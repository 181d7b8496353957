import { type Money, toDecimal } from "~/domain/money/money"

/** An amount is written as a decimal with a point, without its currency. */
export type Cell = string | number | Money<string> | null

type Format = {
  /** Spreadsheets of countries with a decimal comma separate by semicolons. */
  readonly separator?: "," | ";"
}

/**
 * Rows as a CSV file (RFC 4180), with the byte order mark by which spreadsheets know UTF-8. Text that a spreadsheet would
 * take for a formula begins with an apostrophe: notes and names are typed by anyone.
 */
export function csvFile(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { separator = "," }: Format = {},
): string {
  const lines = [head, ...rows].map((row) => csvLine(row, { separator }))
  return `${CSV_START}${lines.join("")}`
}

/** A CSV file of a table, line by line: it is never whole in memory. `columns`: how the text or number of a row is read, by heading. */
export async function* csvLines<Row>(
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  rows: Iterable<Row> | AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(Object.keys(columns))}`
  for await (const row of rows) yield csvLine(Object.values(columns).map((cellOf) => cellOf(row)))
}

/** The byte order mark: a file that is written line by line begins with it. */
export const CSV_START = "\uFEFF"

/** One line of a CSV file, see `csvFile`. */
export function csvLine(row: readonly Cell[], { separator = "," }: Format = {}): string {
  return `${row.map(quoted).join(separator)}\r\n`
}

function quoted(cell: Cell): string {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  if (typeof cell !== "string") return toDecimal(cell)
  const text = isFormula(cell) ? `'${cell}` : cell
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets skip what is before the sign, and read the wide forms of East Asian text too (OWASP, CSV injection). */
function isFormula(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
}
