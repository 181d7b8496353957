import { open } from "node:fs/promises"
import { basename } from "node:path"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"

/**
 * Address ranges with their countries, sorted and disjoint, as packed columns: addresses as big-endian bytes, which sort
 * like numbers, and countries as two letters.
 */
export type CountryRows = Readonly<Record<"starts" | "ends" | "countries", Buffer>>

const LETTERS = 2
/** Bytes per read. */
const AT_ONCE = 64 * 1_024
/** Byte of an ASCII character. */
const code = (sign: string) => sign.charCodeAt(0)
const [NEWLINE, RETURN, COMMA] = [code("\n"), code("\r"), code(",")]
const [ZERO, NINE, A, Z] = [code("0"), code("9"), code("A"), code("Z")]

/**
 * Reads a file of `start,end,CC` with integers, both ends inclusive. `width`: bytes of an address. Reads in pieces of a
 * few milliseconds, so that the event loop is not blocked, and parses bytes: strings and BigInts for the same rows leave
 * seventy megabytes of garbage, views of each field forty. Throws if the file is not such a table.
 */
export async function readCountryRows(file: string, width: number): Promise<CountryRows> {
  const parts: CountryRows[] = []
  let last: Buffer = Buffer.alloc(0)
  for await (const lines of linesOf(file)) {
    const rows = rowsOf(lines, width)
    if (!rows || !areApart(rows, width, last)) {
      throw new Error(
        `Invalid country table ${basename(file)}: must have sorted rows like 16777216,16777471,AU`,
      )
    }
    last = rows.ends.subarray(-width)
    parts.push(rows)
  }
  const column = (name: keyof CountryRows) => Buffer.concat(parts.map((part) => part[name]))
  return { starts: column("starts"), ends: column("ends"), countries: column("countries") }
}

/** Country of the range that contains the address; `XX` in the gaps between ranges. */
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

/** Whole lines of a file, as many as one read returns. The buffer is reused: consume it before the next iteration. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  // One reused buffer: many megabytes of temporary buffers would never be freed.
  const bytes = Buffer.alloc(AT_ONCE + 1)
  const handle = await open(file)
  let rest = 0
  const more = async () => (await handle.read(bytes, rest, AT_ONCE - rest)).bytesRead
  try {
    for (let read = await more(); read > 0; read = await more()) {
      const filled = rest + read
      const end = bytes.lastIndexOf(NEWLINE, filled - 1) + 1
      if (end > 0) yield bytes.subarray(0, end)
      bytes.copyWithin(0, end, filled)
      rest = filled - end
    }
  } finally {
    await handle.close()
  }
  bytes[rest] = NEWLINE
  if (rest > 0) yield bytes.subarray(0, rest + 1)
}

/** Null if a line is not a row. */
function rowsOf(lines: Buffer, width: number): CountryRows | null {
  const count = lines.reduce((sum, byte) => sum + Number(byte === NEWLINE), 0)
  const [starts, ends] = [fields(count, width), fields(count, width)]
  const countries = Buffer.alloc(count * LETTERS)
  let at = 0
  for (let row = 0; row < count; row++) {
    const first = numberAt(lines, at, starts, row)
    const second = numberAt(lines, past(lines, first, COMMA), ends, row)
    const country = past(lines, second, COMMA)
    at = endOfLine(lines, country + LETTERS)
    if (at === -1 || country === -1 || !isCountry(lines, country)) return null
    lines.copy(countries, row * LETTERS, country, country + LETTERS)
  }
  return { starts: starts.bytes, ends: ends.bytes, countries }
}

/** A column of addresses under construction. */
type Fields = { readonly bytes: Buffer; readonly width: number }

const fields = (count: number, width: number): Fields => ({ bytes: Buffer.alloc(count * width), width })

/** Parses decimal digits into the field of a row. Returns the position after them; -1 for none, or too many. */
function numberAt(lines: Buffer, from: number, into: Fields, row: number): number {
  if (from === -1) return -1
  let at = from
  for (let digit = digitAt(lines, at); digit !== null; digit = digitAt(lines, ++at)) {
    if (!append(digit, into, row)) return -1
  }
  return at > from ? at : -1
}

/** Multiplies the number by ten and adds a digit; false on overflow. */
function append(digit: number, { bytes, width }: Fields, row: number): boolean {
  let carry = digit
  for (let at = (row + 1) * width - 1; at >= row * width; at--) {
    const value = (bytes[at] ?? 0) * 10 + carry
    bytes[at] = value & 0xff
    carry = value >> 8
  }
  return carry === 0
}

function digitAt(bytes: Buffer, at: number): number | null {
  const byte = bytes[at] ?? 0
  return byte >= ZERO && byte <= NINE ? byte - ZERO : null
}

/** Position after a character; -1 if it is missing. */
function past(bytes: Buffer, at: number, sign: number): number {
  return at !== -1 && bytes[at] === sign ? at + 1 : -1
}

function endOfLine(bytes: Buffer, at: number): number {
  return past(bytes, bytes[at] === RETURN ? at + 1 : at, NEWLINE)
}

function isCountry(bytes: Buffer, at: number): boolean {
  const isLetter = (byte = 0) => byte >= A && byte <= Z
  return isLetter(bytes[at]) && isLetter(bytes[at + 1])
}

/** Whether every row starts after the end of the previous one; `last`: end of the row before the first. */
function areApart({ starts, ends }: CountryRows, width: number, last: Buffer): boolean {
  if (last.length > 0 && compareAt(starts, 0, last) <= 0) return false
  for (let at = 0; at < starts.length; at += width) {
    const next = at + width
    if (ends.compare(starts, at, next, at, next) < 0) return false
    if (next < starts.length && starts.compare(ends, at, next, next, next + width) <= 0) return false
  }
  return true
}
