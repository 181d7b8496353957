import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { ipAddress } from "~/http/ip-address.server"
import { findDuplicateKey } from "./duplicate-keys"
import { phpJson } from "./php-json"
import { isSignedBy } from "./signature.server"

export type WebhookTrust = {
  readonly paymentKey: string
  /** IP addresses that callbacks may come from; null accepts any address. */
  readonly addresses: readonly string[] | null
}

const MAX_BODY = 64 * 1024

/** The `sign` member with one adjacent comma. */
const SIGN = /,\s*"sign"\s*:\s*"[0-9a-f]{32}"|"sign"\s*:\s*"[0-9a-f]{32}"\s*,?/

/**
 * Verifies a callback and returns its signed content, decoded. The member `sign` signs the body without that member, as
 * PHP's `json_encode` writes it. The signature may match either the received text or its PHP serialization; the
 * matching text is the one that is parsed. It has no timestamp, so replays verify too. Throws `UntrustedCallbackError`.
 */
export function openCryptomusWebhook(
  callback: RawCallback,
  { paymentKey, addresses }: WebhookTrust,
): unknown {
  if (callback.body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  if (addresses && !isAmong(addresses, callback.address))
    throw new UntrustedCallbackError("IP address not allowed")
  const text = utf8(callback.body)
  const { sign, ...data } = objectIn(text)
  const flaw = findDuplicateKey(text)
  if (flaw) throw new UntrustedCallbackError(flaw)
  if (typeof sign !== "string" || !/^[0-9a-f]{32}$/.test(sign)) {
    throw new UntrustedCallbackError("sign is missing or malformed")
  }
  const signed = [text.replace(SIGN, ""), phpJson(data)].find((form) => isSignedBy(paymentKey, form, sign))
  if (signed === undefined) throw new UntrustedCallbackError("signature does not match")
  return objectIn(signed)
}

function isAmong(addresses: readonly string[], address: string | null): boolean {
  const from = ipAddress(address)?.toNormalizedString()
  return from !== undefined && addresses.some((it) => ipAddress(it)?.toNormalizedString() === from)
}

/** Decodes UTF-8 and preserves a byte order mark, because the signature covers it. */
function utf8(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch (cause) {
    throw new UntrustedCallbackError("not UTF-8", { cause })
  }
}

function objectIn(text: string): Record<string, unknown> {
  const value = json(text)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value }
  throw new UntrustedCallbackError("not a JSON object")
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UntrustedCallbackError("not JSON", { cause })
  }
}
