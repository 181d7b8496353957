/**
 * The output types of PHP's `serialize`. Integer keys are stored as digits, because PHP treats "8" and 8 as one key.
 */
export type PhpValue = string | number | boolean | null | PhpMap
export type PhpMap = Map<string, PhpValue>

type Read = { value: PhpValue; end: number }

/**
 * Parses `base64(serialize(map))`. Returns null where PHP could not parse it: a wrong byte length, a wrong count, a
 * missing end. WHMCS then continues as if nothing had been sent (docs/whmcs.md, Encoding).
 */
export function mapIn(base64: string): PhpMap | null {
  try {
    const { value } = valueAt(Buffer.from(base64, "base64"), 0)
    return value instanceof Map ? value : null
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

class Unreadable extends Error {
  override name = "Unreadable"
}

function valueAt(bytes: Buffer, at: number): Read {
  const kind = String.fromCharCode(bytes[at] ?? 0)
  const reader = readers[kind]
  if (!reader) throw new Unreadable(`No value at byte ${at}`)
  return reader(bytes, at)
}

const readers: Record<string, (bytes: Buffer, at: number) => Read> = {
  N: (bytes, at) => ({ value: null, end: after(bytes, at, "N;") }),
  b: (bytes, at) => scalar(bytes, at, /^b:([01]);/, (digit) => digit === "1"),
  i: (bytes, at) => scalar(bytes, at, /^i:([+-]?\d+);/, Number),
  d: (bytes, at) => scalar(bytes, at, /^d:([+-]?[\d.]+(?:E[+-]?\d+)?);/i, Number),
  s: text,
  a: array,
}

function scalar(bytes: Buffer, at: number, form: RegExp, read: (digits: string) => PhpValue): Read {
  const match = form.exec(bytes.toString("latin1", at, at + 40))
  if (!match?.[1]) throw new Unreadable(`No value at byte ${at}`)
  return { value: read(match[1]), end: at + match[0].length }
}

function text(bytes: Buffer, at: number): Read {
  const { count, start } = counted(bytes, at, /^s:(\d+):"/)
  const end = after(bytes, start + count, '";')
  return { value: bytes.toString("utf8", start, start + count), end }
}

function array(bytes: Buffer, at: number): Read {
  const { count, start } = counted(bytes, at, /^a:(\d+):\{/)
  const value: PhpMap = new Map()
  let end = start
  for (let entry = 0; entry < count; entry += 1) {
    const key = valueAt(bytes, end)
    if (typeof key.value !== "string" && typeof key.value !== "number") throw new Unreadable("No key")
    const held = valueAt(bytes, key.end)
    value.set(String(key.value), held.value)
    end = held.end
  }
  return { value, end: after(bytes, end, "}") }
}

function counted(bytes: Buffer, at: number, form: RegExp): { count: number; start: number } {
  const match = form.exec(bytes.toString("latin1", at, at + 24))
  if (!match) throw new Unreadable(`No count at byte ${at}`)
  return { count: Number(match[1]), start: at + match[0].length }
}

/** Returns the position after the text that must stand at `at`. */
function after(bytes: Buffer, at: number, expected: string): number {
  const end = at + expected.length
  if (bytes.toString("latin1", at, end) !== expected) throw new Unreadable(`No ${expected} at byte ${at}`)
  return end
}
