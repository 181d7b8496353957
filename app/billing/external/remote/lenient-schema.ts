import { z } from "zod"

/** Text or a number, as trimmed text. A missing value, null and PHP's `false` become the empty text. */
export const TextField = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional().transform(textOf)

/** External id, as text or a number. */
export const Name = z
  .union([z.string(), z.number()])
  .transform((it) => String(it).trim())
  .pipe(z.string().min(1).max(64))

/** Like `Name`, but optional: `""`, `0`, null and a missing value become null. */
export const OptionalExternalId = TextField.transform((text) =>
  text === "" || text === "0" ? null : text.slice(0, 64),
)

/** True for `1`, `true`, `on`, `yes`, `ok` and `success` in any type and case; false otherwise. */
export const Flag = z
  .unknown()
  .optional()
  .transform((it) => /^(1|true|on|yes|ok|success)$/i.test(String(it ?? "").trim()))

/** Whether a field has a value, such as an error. A missing value, null, `false`, `0`, `no` and `none` are none. */
export const Something = z
  .unknown()
  .optional()
  .transform(
    (it) => !/^(0|false|no|none|null|undefined)?$/i.test(Array.isArray(it) ? it.join() : String(it ?? "")),
  )

/**
 * List in any form of WHMCS or a proxy of it: `{product: [...]}` or the list itself. The list may be an array, an
 * object with numeric keys, a single item, `""`, null or missing.
 */
export function listOf<T>(inner: string, item: z.ZodType<T>): z.ZodType<T[]> {
  return z
    .unknown()
    .optional()
    .transform((value): unknown => unwrapped(inner, value))
    .pipe(z.array(item))
}

/** Requires a field to be present, in any form: a response without it belongs to another call. */
export function required<T>(as: z.ZodType<T>): z.ZodType<T> {
  return z
    .unknown()
    .refine((value) => value !== undefined, "is missing")
    .transform((value): unknown => value)
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

/** Any JSON response except numbers and null, or none (204); its content is not used. */
export const AnyResponse = z.union([
  z.looseObject({}),
  z.string(),
  z.boolean(),
  z.array(z.unknown()),
  z.undefined(),
])
