import { z } from "zod"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { strictJson, strictUtf8 } from "~/http/strict-json"
import { isOneOf } from "~/security/signature.server"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "./gateway"
import { summaryOf } from "./gateway-errors"

/** Seconds that a signed timestamp may differ from the time of receipt. */
const TOLERANCE_S = (5 * MINUTE) / SECOND
const MAX_BODY = 64 * 1024

/** The raw bytes of a callback, which the signature covers. Throws `UntrustedCallbackError` above 64 kB. */
export function bodyOf({ body }: RawCallback): Buffer {
  if (body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  return body
}

/** A header of the given form. Throws `UntrustedCallbackError` when it is missing or malformed. */
export function signedHeader({ headers }: RawCallback, name: string, form: RegExp): RegExpExecArray {
  const value = form.exec(headers.get(name) ?? "")
  if (!value) throw new UntrustedCallbackError(`${name} is missing or malformed`)
  return value
}

/** Throws `UntrustedCallbackError` when the timestamp (in seconds) differs by more than five minutes from `at`. */
export function checkFresh(timestamp: number, at: Instant): void {
  const age = Math.floor(at / SECOND) - timestamp
  if (Math.abs(age) > TOLERANCE_S) throw new UntrustedCallbackError(age > 0 ? "too old" : "from the future")
}

/** Throws `UntrustedCallbackError` unless a given signature equals an expected one. Compares in constant time. */
export function checkSignature(given: readonly string[], expected: readonly string[]): void {
  if (!given.map((it) => isOneOf(it, expected)).includes(true)) {
    throw new UntrustedCallbackError("signature does not match")
  }
}

/** Decodes a body as UTF-8. Throws `UntrustedCallbackError`. */
export function callbackText(body: Buffer): string {
  return trusting(() => strictUtf8(body))
}

/** Parses a body as strict JSON. Throws `UntrustedCallbackError`, also for duplicate member names. */
export function callbackJson(body: Buffer | string): unknown {
  return trusting(() => strictJson(body))
}

function trusting<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new UntrustedCallbackError(cause instanceof Error ? cause.message : "not JSON", { cause })
  }
}

type Source = {
  /** For the operator: "Coinbase callback". */
  readonly name: string
  /** Finds the attempt that a malformed payload is about. */
  readonly attemptOf: (value: unknown) => string | null
}

/**
 * Parses the payload of a provider by its schema. A callback is signed when it gets here, so a mismatch is a
 * `GatewayError` (`unreadable`), not an untrusted callback.
 */
export function parseAs<T>(as: z.ZodType<T>, value: unknown, { name, attemptOf }: Source): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `Invalid ${name} (${summaryOf(value)}): ${z.prettifyError(cause)}`, {
    cause,
    attemptId: attemptOf(value),
  })
}
