import { timingSafeEqual } from "node:crypto"
import type { Webhook } from "standardwebhooks"
import { MINUTE, SECOND } from "~/domain/calendar"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

const TOLERANCE_S = (5 * MINUTE) / SECOND
const MAX_BODY = 64 * 1024
const MAX_SIGNATURES = 10
/** The signature version that is verified; other versions in the header are ignored. */
const VERSION = "v1,"

/** `id` is the same on every delivery attempt of a message. */
export type WebhookMessage = { id: string; text: string }

/**
 * Verifies a callback by Standard Webhooks 1.0 and returns its id and unparsed text. Any key may match, so that keys
 * can be rotated. The library's `verify` is not used: it reads the system clock and replaces bytes that are not UTF-8.
 * Throws `UntrustedCallbackError`.
 */
export function openWebhook(callback: RawCallback, keys: readonly Webhook[]): WebhookMessage {
  if (callback.body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const id = header(callback, "webhook-id", /^[\x21-\x7e]{1,200}$/)
  const timestamp = Number(header(callback, "webhook-timestamp", /^[1-9]\d{0,11}$/))
  const signatures = header(callback, "webhook-signature", /^[\x20-\x7e]+$/)
  checkFresh(timestamp, callback.at)

  const text = utf8(callback.body)
  const given = signatures
    .split(" ")
    .filter((signature) => signature.startsWith(VERSION))
    .slice(0, MAX_SIGNATURES)
  const right = keys.map((key) => key.sign(id, new Date(timestamp * SECOND), text))
  const genuine = right.some((expected) => given.some((signature) => same(signature, expected)))
  if (!genuine) throw new UntrustedCallbackError("signature does not match")
  return { id, text }
}

function header({ headers }: RawCallback, name: string, form: RegExp): string {
  const value = headers.get(name) ?? ""
  if (!form.test(value)) throw new UntrustedCallbackError(`${name} is missing or malformed`)
  return value
}

function checkFresh(timestamp: number, at: number) {
  const age = Math.floor(at / SECOND) - timestamp
  if (Math.abs(age) > TOLERANCE_S) throw new UntrustedCallbackError(age > 0 ? "too old" : "from the future")
}

/** Decodes UTF-8 and preserves a byte order mark, because the signature covers it. */
function utf8(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch (cause) {
    throw new UntrustedCallbackError("not UTF-8", { cause })
  }
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
