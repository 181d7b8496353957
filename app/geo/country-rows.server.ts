import { createReadStream } from "node:fs"
import { basename } from "node:path"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"

/**
 * Ranges of addresses with their countries, sorted and apart from each other. Each column holds its fields one
 * after another: addresses as big-endian bytes, so that they sort like numbers, and countries as two letters.
 */
export type CountryRows = Readonly<Record<"starts" | "ends" | "countries", Buffer>>

const ROW = /^(\d{1,39}),(\d{1,39}),([A-Z]{2})$/
const LETTERS = 2

/**
 * Reads a file of `start,end,CC` with whole numbers, both ends inclusive. `width`: bytes of an address. Goes piece
 * by piece, a few milliseconds each, so that the process can answer meanwhile. Throws on what is no such table.
 */
export async function readCountryRows(file: string, width: number): Promise<CountryRows> {
  const pieces: CountryRows[] = []
  let last: Buffer = Buffer.alloc(0)
  for await (const lines of linesOf(file)) {
    const rows = rowsOf(lines, width)
    if (!rows || !areApart(rows, width, last)) {
      throw new Error(`${basename(file)} is no table of sorted rows such as 16777216,16777471,AU`)
    }
    last = rows.ends.subarray(-width)
    pieces.push(rows)
  }
  const column = (name: keyof CountryRows) => Buffer.concat(pieces.map((piece) => piece[name]))
  return { starts: column("starts"), ends: column("ends"), countries: column("countries") }
}

/** The country of the row an address lies in. There are gaps between rows. */
export function countryAt({ starts, ends, countries }: CountryRows, address: Buffer): Country {
  const width = address.length
  let row = -1
  for (let [low, high] = [0, starts.length / width - 1]; low <= high; ) {
    const middle = (low + high) >> 1
    if (compareAt(starts, middle * width, address) <= 0) [row, low] = [middle, middle + 1]
    else high = middle - 1
  }
  if (row === -1 || compareAt(ends, row * width, address) < 0) return UNKNOWN_COUNTRY
  return countries.toString("latin1", row * LETTERS, (row + 1) * LETTERS)
}

function compareAt(column: Buffer, offset: number, address: Buffer): number {
  return column.compare(address, 0, address.length, offset, offset + address.length)
}

/** The lines of a file, as many at once as one read brings. */
async function* linesOf(file: string): AsyncGenerator<string[]> {
  let rest = ""
  for await (const piece of createReadStream(file, "utf8")) {
    const lines = `${rest}${piece}`.split(/\r?\n/)
    rest = lines.pop() ?? ""
    if (lines.length > 0) yield lines
  }
  if (rest) yield [rest]
}

/** Null when a line is no row. */
function rowsOf(lines: readonly string[], width: number): CountryRows | null {
  const rows = lines.map((line) => rowIn(line, width)).filter((row) => row !== null)
  if (rows.length < lines.length) return null
  const column = (name: keyof Row, encoding: BufferEncoding) =>
    Buffer.from(rows.map((row) => row[name]).join(""), encoding)
  return {
    starts: column("start", "hex"),
    ends: column("end", "hex"),
    countries: column("country", "latin1"),
  }
}

type Row = { start: string; end: string; country: string }

function rowIn(line: string, width: number): Row | null {
  const [, first = "", last = "", country = ""] = ROW.exec(line) ?? []
  const [start, end] = [hex(first, width), hex(last, width)]
  const fits = start.length + end.length === 4 * width
  return country && fits ? { start, end, country } : null
}

/** Two digits a byte, and more when the number does not fit. */
function hex(decimal: string, width: number): string {
  return BigInt(decimal)
    .toString(16)
    .padStart(2 * width, "0")
}

/** Every row begins behind the end of the one before; `last` is the end of the one before the first. */
function areApart({ starts, ends }: CountryRows, width: number, last: Buffer): boolean {
  let before = last
  for (let at = 0; at < starts.length; at += width) {
    const [start, end] = [starts.subarray(at, at + width), ends.subarray(at, at + width)]
    if (start.compare(before) <= 0 || end.compare(start) < 0) return false
    before = end
  }
  return true
}
