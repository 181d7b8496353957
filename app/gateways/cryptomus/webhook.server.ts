import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { ipAddress } from "~/http/ip-address.server"
import { findDuplicateKey } from "./duplicate-keys"
import { phpJson } from "./php-json"
import { isSignedBy } from "./signature.server"

export type WebhookTrust = {
  readonly paymentKey: string
  /** The only addresses callbacks come from; null takes them from anywhere. */
  readonly addresses: readonly string[] | null
}

const MAX_BODY = 64 * 1024

/** The member that holds the signature, with the one comma that goes with it. */
const SIGN = /,\s*"sign"\s*:\s*"[0-9a-f]{32}"|"sign"\s*:\s*"[0-9a-f]{32}"\s*,?/

/**
 * Checks who is speaking and gives what was signed, decoded. The signature is a member of the body it signs, over
 * the body as PHP writes it without that member. It holds when it fits the bytes that came, or those PHP would have
 * written; what is read is the text that it fits. There is no time in it, so a repeat looks like the first. Throws
 * `UntrustedCallback`.
 */
export function openCryptomusWebhook(
  callback: RawCallback,
  { paymentKey, addresses }: WebhookTrust,
): unknown {
  if (callback.body.byteLength > MAX_BODY) throw new UntrustedCallbackError("too large")
  if (addresses && !isAmong(addresses, callback.address))
    throw new UntrustedCallbackError("from another address")
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

/** Keeps a byte order mark: it is part of what was signed. */
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
