import { z } from "zod"
import type { PhpValue } from "~/http/php-serialize"
import { phpUnserialize } from "~/http/php-unserialize"

const MAX_LENGTH = 4_000
const MAX_ENTRIES = 20

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Entries = z.record(z.string().max(64), Scalar)

/** Encoded map of an order (specification, Billing API): a JSON object, or the output of PHP's `serialize` in base64. */
export const EncodedMap = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, context) => {
    const map = mapIn(text)
    if (map) return map
    context.addIssue({
      code: "custom",
      message: "must be a JSON object or a base64-encoded PHP serialized array",
    })
    return z.NEVER
  })
  .describe("JSON object, or a base64-encoded PHP serialized array")

export type TextMap = ReadonlyMap<string, string>

function mapIn(text: string): TextMap | null {
  const entries = text.trimStart().startsWith("{") ? fromJson(text) : fromPhp(text)
  if (!entries || entries.length > MAX_ENTRIES) return null
  return new Map(entries.map(([key, value]) => [key, textOf(value)]))
}

type Entry = readonly [string, PhpValue]

function fromJson(text: string): readonly Entry[] | null {
  try {
    const entries = Entries.safeParse(JSON.parse(text))
    return entries.success ? Object.entries(entries.data) : null
  } catch {
    return null
  }
}

function fromPhp(text: string): readonly Entry[] | null {
  try {
    const value = phpUnserialize(Buffer.from(text, "base64").toString("utf8"))
    const entries = value instanceof Map ? [...value] : null
    return entries?.every(([, it]) => !(it instanceof Map)) ? entries : null
  } catch {
    return null
  }
}

/** Text of a value. Booleans become "1" and "0", so that PHP and JSON callers send the same. */
function textOf(value: PhpValue): string {
  if (typeof value === "boolean") return value ? "1" : "0"
  return String(value ?? "").trim()
}
