import { z } from "zod"
import { EMAIL_LENGTH, isEmail } from "~/domain/email"
import { currencies } from "~/domain/money"

/** What a caller says. A query has only text, JSON has numbers too: both are read alike. */
const text = (longest: number) => z.coerce.string().trim().max(longest)

/** A name for something: an order, a service, a product, a key. */
export const Id = text(64).regex(/^[\w-]{1,64}$/, "invalid id")

export const Email = text(EMAIL_LENGTH).refine(isEmail, "invalid email address")

export const TextField = (longest: number) => text(longest)

/** An amount of money with two decimals, such as 12.50. */
export const Amount = text(16)
  .regex(/^\d{1,9}(\.\d{1,2}0*)?$/, "invalid amount")
  .describe("Amount with two decimals, for example 12.50")

export const Currency = z.enum(currencies)

export const IpAddress = z.union([z.ipv4(), z.ipv6()])

/** Two letters (ISO 3166-1); whatever else is said is nowhere that is known. */
export const Country = text(64).describe("ISO 3166-1 alpha-2 code")

export const Count = z.coerce.number().int().min(1).max(1_000)

/** `1`, `true`, `on` and `yes` are yes; everything else is no. */
export const Flag = text(8)
  .transform((value) => /^(1|true|on|yes)$/i.test(value))
  .describe("1, true, on and yes are true")

/** Where somebody comes back to: https, or http on loopback, and nothing that signs in. */
export const ReturnUrl = text(1_000)
  .refine(isBackLink, "invalid return URL")
  .describe("https URL, or http on a loopback address")

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isBackLink(value: string): boolean {
  const url = URL.parse(value)
  if (!url || url.username || url.password) return false
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))
}
