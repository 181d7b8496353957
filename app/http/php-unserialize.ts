import type { PhpValue } from "./php-serialize"

/** Well above the size of any order's map. */
const MAX_BYTES = 16 * 1024
const DEEPEST = 4

const SCALAR = /N;|b:[01];|i:-?\d{1,15};|d:-?\d{1,15}(?:\.\d{1,15})?;/y
const TEXT = /s:(\d{1,5}):"/y
const MAP = /a:(\d{1,4}):\{/y

/** Input with one character per byte; `at`: position in bytes. */
type Source = { readonly latin1: string; at: number }

/**
 * Parses the output of PHP's `serialize`: strings, numbers, booleans, null, and maps of them, whose keys become strings.
 * Throws on everything else, in particular on objects, and on input that is too long or too deeply nested.
 */
export function phpUnserialize(text: string): PhpValue {
  const bytes = Buffer.from(text, "utf8")
  if (bytes.length > MAX_BYTES) throw new Error(`Invalid serialized value: longer than ${MAX_BYTES} bytes`)
  const source: Source = { latin1: bytes.toString("latin1"), at: 0 }
  const value = valueAt(source, 0)
  if (source.at !== source.latin1.length) throw unreadable(source)
  return value
}

function valueAt(source: Source, depth: number): PhpValue {
  const scalar = taken(source, SCALAR)
  if (scalar) return scalarIn(scalar[0])
  const text = taken(source, TEXT)
  if (text) return textOf(source, Number(text[1]))
  const map = depth < DEEPEST ? taken(source, MAP) : null
  if (map) return mapOf(source, Number(map[1]), depth + 1)
  throw unreadable(source)
}

function scalarIn(text: string): PhpValue {
  if (text === "N;") return null
  const value = text.slice(2, -1)
  return text.startsWith("b") ? value === "1" : Number(value)
}

/** Reads a string of `length` bytes and its closing quote. */
function textOf(source: Source, length: number): string {
  const { latin1, at } = source
  const end = at + length
  if (latin1.slice(end, end + 2) !== '";') throw unreadable(source)
  source.at = end + 2
  return Buffer.from(latin1.slice(at, end), "latin1").toString("utf8")
}

function mapOf(source: Source, count: number, depth: number): ReadonlyMap<string, PhpValue> {
  const map = new Map<string, PhpValue>()
  for (let read = 0; read < count; read++) map.set(keyAt(source), valueAt(source, depth))
  if (!taken(source, /\}/y)) throw unreadable(source)
  return map
}

function keyAt(source: Source): string {
  const key = valueAt(source, DEEPEST)
  if (typeof key === "string" || typeof key === "number") return String(key)
  throw unreadable(source)
}

function taken(source: Source, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.at
  const found = pattern.exec(source.latin1)
  if (found) source.at = pattern.lastIndex
  return found
}

function unreadable({ at }: Source): Error {
  return new Error(`Invalid serialized value at byte ${at}`)
}
