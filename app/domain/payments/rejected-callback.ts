import { DAY, type Instant } from "../calendar"
import type { GatewayId } from "./gateway-id"

/** Rejected callbacks that are stored as they were sent, of one gateway, day and reason: the first ones. */
export const STORED_OF_A_DAY = 20
/** Rejected callbacks that are stored in all: the newest ones. */
export const STORED_IN_ALL = 500
/** How long a rejected callback is stored. */
export const STORED_FOR = 14 * DAY
/** What is stored of a body, in bytes. */
export const STORED_BYTES = 16 * 1024

/** What a rejected callback has sent, without secrets, signatures and e-mail addresses. */
export type StoredRequest = {
  /** IP address of the sender; null if unknown. */
  readonly address: string | null
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The bytes of the body, at most `STORED_BYTES`, in base64. */
  readonly body: string
  /** Size of the body as it was sent, in bytes. */
  readonly size: number
  /** SHA-256 of the body as it was sent, in hexadecimal digits. */
  readonly digest: string
}

/** A rejected callback that is stored as it was sent. */
export type StoredCallback = StoredRequest & {
  readonly id: string
  readonly gateway: GatewayId
  readonly reason: string
  readonly at: Instant
}

/** Headers whose value is a secret as a whole. */
const SECRET = /cookie|authorization|token|secret|password|key/
const SIGNATURE = /sig/
/** Digits of a signature; a time stamp or a version is shorter. */
const DIGITS = /[\w+/-]{16,}=*/g

/**
 * A header of a rejected callback as it is stored: whoever may look at it learns no secret and no person by it, and cannot send
 * it again. The length of what was masked stays, since a signature of the wrong length is a finding.
 */
export function maskedHeader(name: string, value: string): string {
  if (SECRET.test(name)) return masked(value)
  if (SIGNATURE.test(name)) return value.replace(DIGITS, (it) => `${it.slice(0, 4)}${masked(it)}`)
  return withoutEmails(value)
}

/** A member or field that holds a signature or a secret, in JSON or in a form. */
const SIGNED =
  /("?\b(?:sign|signature|secret|token|password|api_?key)\b"?\s{0,9}[:=]\s{0,9}"?)([^"&,\s{}[\]]+)/gi

/** A body as it is stored: without signatures, secrets and e-mail addresses, whatever its form. */
export function maskedBody(text: string): string {
  const unsigned = text.replace(
    SIGNED,
    (_, name: string, value: string) => `${name}${value.slice(0, 4)}${masked(value)}`,
  )
  return withoutEmails(unsigned)
}

function masked({ length }: { readonly length: number }): string {
  return `...(${length} characters)`
}

/** What stands between the two parts of an address, in a text or in a form's encoding. */
const AT = /(@|%40)/i
const LONGEST_LOCAL_PART = 64
const NOT_OF_LOCAL_PART = /[\s"'<>()[\]{}=&:;,@\\]/

/** Looks only at the characters before each sign: a search through the whole text would take quadratic time. */
function withoutEmails(text: string): string {
  const parts = text.split(AT)
  return parts.map((part, nth) => (AT.test(parts[nth + 1] ?? "") ? withoutLocalPart(part) : part)).join("")
}

function withoutLocalPart(text: string): string {
  const least = Math.max(0, text.length - LONGEST_LOCAL_PART)
  let from = text.length
  while (from > least && !NOT_OF_LOCAL_PART.test(text.charAt(from - 1))) from -= 1
  return from === text.length ? text : `${text.slice(0, from)}...`
}
