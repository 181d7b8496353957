import { createHmac, timingSafeEqual } from "node:crypto"
import { MINUTE, SECOND } from "~/domain/calendar"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

const TOLERANCE_S = (5 * MINUTE) / SECOND
const MAX_BODY = 64 * 1024

/** Parts of the `X-Hook0-Signature` header. */
type Signature = {
  readonly t: string
  readonly v0: string | null
  /** Names of the signed headers, in the order of signing. */
  readonly h: string
  readonly v1: string | null
}

/**
 * Verifies a Hook0 signature with any of the secrets. If `v1` is present it alone decides, and every header it names
 * must be present. The timestamp may differ by five minutes. Throws `UntrustedCallbackError`.
 */
export function checkHook0(callback: RawCallback, secrets: readonly string[]): void {
  if (callback.body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  const signature = read(callback.headers.get("x-hook0-signature") ?? "")
  const age = Math.floor(callback.at / SECOND) - Number(signature.t)
  if (Math.abs(age) > TOLERANCE_S) throw new UntrustedCallbackError(age > 0 ? "too old" : "from the future")

  const { given, signed } =
    signature.v1 === null ? plain(signature, callback) : withHeaders(signature, callback)
  if (!secrets.some((secret) => same(given, hmac(secret, signed)))) {
    throw new UntrustedCallbackError("signature does not match")
  }
}

function read(text: string): Signature {
  const parts = new Map(text.split(",").map((part) => split(part.trim())))
  const [t = "", h = ""] = [parts.get("t"), parts.get("h")]
  const [v0 = null, v1 = null] = [parts.get("v0"), parts.get("v1")]
  if (!/^[1-9]\d{0,11}$/.test(t) || (v0 === null && v1 === null)) {
    throw new UntrustedCallbackError("x-hook0-signature is missing or malformed")
  }
  return { t, h, v0, v1 }
}

function split(part: string): [string, string] {
  const at = part.indexOf("=")
  return [part.slice(0, at), part.slice(at + 1)]
}

type SignedContent = { readonly given: string; readonly signed: readonly (string | Buffer)[] }

function plain({ t, v0 }: Signature, { body }: RawCallback): SignedContent {
  return { given: v0 ?? "", signed: [`${t}.`, body] }
}

function withHeaders({ t, h, v1 }: Signature, { headers, body }: RawCallback): SignedContent {
  const values = h.split(" ").map((name) => {
    const value = /^[\w-]+$/.test(name) ? headers.get(name) : null
    if (value === null) throw new UntrustedCallbackError("a signed header is missing")
    return value
  })
  return { given: v1 ?? "", signed: [`${t}.${h}.${values.join(".")}.`, body] }
}

/** Lower-case hexadecimal HMAC-SHA256 of the concatenated parts. */
export function hmac(secret: string, parts: readonly (string | Buffer)[]): string {
  const code = createHmac("sha256", secret)
  for (const part of parts) code.update(part)
  return code.digest("hex")
}

/** Compares signatures in constant time, ignoring the case of `given`; a matching prefix is not enough. */
export function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given.toLowerCase()), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
