import { z } from "zod"
import { EMAIL_LENGTH, isEmail } from "~/domain/customers/email"
import { currencies } from "~/domain/money/money"

/** Trimmed text field. JSON numbers are coerced to text, so that query and JSON parameters parse alike. */
const text = (longest: number) => z.coerce.string().trim().max(longest)

/** What a username or password of a line consists of. */
export const LINE_CREDENTIAL = /^[\w.@-]{1,64}$/

/** Id of an order, service or product, or an idempotency key. */
export const Id = text(64).regex(/^[\w-]{1,64}$/, "invalid id")

export const Email = text(EMAIL_LENGTH).refine(isEmail, "invalid email address")

export const TextField = (longest: number) => text(longest)

/** Username or password of a line. */
export const LineCredential = text(64).regex(LINE_CREDENTIAL)

/** Decimal amount of money, for example 12.50; further decimals must be zeros. */
export const Amount = text(16)
  .regex(/^\d{1,9}(\.\d{1,2}0*)?$/, "invalid amount")
  .describe("Amount with two decimals, for example 12.50")

export const Currency = z.enum(currencies)

export const IpAddress = z.union([z.ipv4(), z.ipv6()])

/** ISO 3166-1 alpha-2 code; any other text counts as an unknown country. */
export const Country = text(64).describe("ISO 3166-1 alpha-2 code")

export const Count = z.coerce.number().int().min(1).max(1_000)

/** `1`, `true`, `on` and `yes` are true, everything else is false. */
export const Flag = text(8)
  .transform((value) => /^(1|true|on|yes)$/i.test(value))
  .describe("1, true, on and yes are true")

/** Return URL of a payment page: https, or http on a loopback address, without username and password. */
export const ReturnUrl = text(1_000)
  .refine(isBackLink, "invalid return URL")
  .describe("https URL, or http on a loopback address")

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isBackLink(value: string): boolean {
  const url = URL.parse(value)
  if (!url || url.username || url.password) return false
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))
}
