import { z } from "zod"

/** Text and numbers are told either way; nothing at all, and PHP's `false`, are the empty text. */
export const TextField = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional().transform(textOf)

/** A name of theirs for something, told either way. */
export const Name = z
  .union([z.string(), z.number()])
  .transform((it) => String(it).trim())
  .pipe(z.string().min(1).max(64))

/** As `Name`, where there may be none: `""`, `0`, `null` or nothing. */
export const OptionalExternalId = TextField.transform((text) =>
  text === "" || text === "0" ? null : text.slice(0, 64),
)

/** `1`, `"1"`, `true`, `"true"`, `"on"`, `"yes"`; everything else, and nothing, is a no. */
export const Flag = z
  .unknown()
  .optional()
  .transform((it) => /^(1|true|on|yes|ok|success)$/i.test(String(it ?? "").trim()))

/** Whether something is said at all: an error, a reseller's account. Nothing, `false`, `"0"` and `"no"` are none. */
export const Something = z
  .unknown()
  .optional()
  .transform(
    (it) => !/^(0|false|no|none|null|undefined)?$/i.test(Array.isArray(it) ? it.join() : String(it ?? "")),
  )

/**
 * A list as WHMCS writes it and those who pass it on: `{product: [...]}` or the list itself, which may be an object
 * with numbers for names, one bare thing, `""`, null or nothing.
 */
export function listOf<T>(inner: string, item: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .unknown()
    .optional()
    .transform((value): unknown => unwrapped(inner, value))
    .pipe(z.array(item))
}

/** What must be in an answer, however it is told there: without it the answer is about something else. */
export function required<T>(as: z.ZodType<T>): z.ZodType<T> {
  return z
    .unknown()
    .refine((value) => value !== undefined, "is missing")
    .transform((request): unknown => request)
    .pipe(as)
}

function unwrapped(inner: string, value: unknown): unknown {
  if (value === "" || value === null || value === undefined) return []
  if (Array.isArray(value) || typeof value !== "object") return value
  const entries: [string, unknown][] = Object.entries(value)
  const within = entries.find(([name]) => name === inner)
  if (within) return unwrapped(inner, within[1])
  if (entries.every(([name]) => /^\d+$/.test(name))) return entries.map(([, it]) => it)
  return [value]
}

function textOf(value: string | number | boolean | null | undefined): string {
  return value === false ? "" : String(value ?? "").trim()
}
