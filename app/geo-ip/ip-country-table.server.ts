import { open } from "node:fs/promises"
import { basename } from "node:path"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"

/**
 * Address ranges with their countries, sorted and disjoint, as packed columns: addresses as words of 32 bits, the highest
 * first, and countries as two letters.
 */
export type CountryRows = {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly countries: Buffer
}

const LETTERS = 2
/** Bytes of a word. */
const WORD = 4
const WORD_VALUES = 2 ** 32
/** Digits that are appended at once: 2^32 times 10^5 is still exact as a number. */
const DIGITS = 5
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
  const words = width / WORD
  const parts: CountryRows[] = []
  let last = new Uint32Array()
  for await (const lines of linesOf(file)) {
    const rows = rowsOf(lines, words)
    if (!rows || !areApart(rows, words, last)) {
      throw new Error(
        `Invalid country table ${basename(file)}: must have sorted rows like 16777216,16777471,AU`,
      )
    }
    last = rows.ends.slice(-words)
    parts.push(rows)
  }
  return {
    starts: joined(parts.map(({ starts }) => starts)),
    ends: joined(parts.map(({ ends }) => ends)),
    countries: Buffer.concat(parts.map(({ countries }) => countries)),
  }
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Country of the range that contains the address, as big-endian bytes; `XX` in the gaps between ranges. */
export function countryAt({ starts, ends, countries }: CountryRows, bytes: Buffer): Country {
  const address = Uint32Array.from({ length: bytes.length / WORD }, (_, word) =>
    bytes.readUInt32BE(word * WORD),
  )
  const words = address.length
  let row = -1
  for (let [low, high] = [0, starts.length / words - 1]; low <= high; ) {
    const middle = (low + high) >> 1
    if (compare(starts, middle * words, address, 0, words) <= 0) [row, low] = [middle, middle + 1]
    else high = middle - 1
  }
  if (row === -1 || compare(ends, row * words, address, 0, words) < 0) return UNKNOWN_COUNTRY
  return countries.toString("latin1", row * LETTERS, (row + 1) * LETTERS)
}

/** Negative if the address at the first position is the lower one, positive if it is the higher one. */
function compare(one: Uint32Array, at: number, other: Uint32Array, otherAt: number, words: number): number {
  for (let word = 0; word < words; word++) {
    const difference = (one[at + word] ?? 0) - (other[otherAt + word] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
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
function rowsOf(lines: Buffer, words: number): CountryRows | null {
  const count = newlinesIn(lines)
  const [starts, ends] = [column(count, words), column(count, words)]
  const countries = Buffer.alloc(count * LETTERS)
  let at = 0
  for (let row = 0; row < count; row++) {
    const first = numberAt(lines, at, starts, row)
    const second = numberAt(lines, past(lines, first, COMMA), ends, row)
    const country = past(lines, second, COMMA)
    at = endOfLine(lines, country + LETTERS)
    if (at === -1 || country === -1 || !isCountry(lines, country)) return null
    for (let letter = 0; letter < LETTERS; letter++)
      countries[row * LETTERS + letter] = lines[country + letter] ?? 0
  }
  return { starts: starts.numbers, ends: ends.numbers, countries }
}

function newlinesIn(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf(NEWLINE); at !== -1; at = lines.indexOf(NEWLINE, at + 1)) count++
  return count
}

/** A column of addresses under construction. */
type Column = { readonly numbers: Uint32Array; readonly words: number }

const column = (count: number, words: number): Column => ({ numbers: new Uint32Array(count * words), words })

/** Parses decimal digits into the address of a row. Returns the position after them; -1 for none, or too many. */
function numberAt(lines: Buffer, from: number, into: Column, row: number): number {
  if (from === -1) return -1
  let at = from
  for (let end = digitsEnd(lines, at); end > at; end = digitsEnd(lines, at)) {
    if (!append(lines, at, end, into, row)) return -1
    at = end
  }
  return at > from ? at : -1
}

/** Position after the next digits, as many as `append` takes. */
function digitsEnd(lines: Buffer, from: number): number {
  let at = from
  while (at - from < DIGITS && isDigit(lines[at])) at++
  return at
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE
}

/** Appends digits to the decimal number that is the address of a row; false on overflow. */
function append(lines: Buffer, from: number, end: number, { numbers, words }: Column, row: number): boolean {
  let scale = 1
  let carry = 0
  for (let at = from; at < end; at++) {
    carry = carry * 10 + (lines[at] ?? 0) - ZERO
    scale *= 10
  }
  for (let word = (row + 1) * words - 1; word >= row * words; word--) {
    const value = (numbers[word] ?? 0) * scale + carry
    numbers[word] = value
    carry = Math.floor(value / WORD_VALUES)
  }
  return carry === 0
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
function areApart({ starts, ends }: CountryRows, words: number, last: Uint32Array): boolean {
  if (last.length > 0 && compare(starts, 0, last, 0, words) <= 0) return false
  for (let at = 0; at < starts.length; at += words) {
    const next = at + words
    if (compare(ends, at, starts, at, words) < 0) return false
    if (next < starts.length && compare(starts, next, ends, at, words) <= 0) return false
  }
  return true
}
