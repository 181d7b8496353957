import { type RawCallback, type SignedCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { bodyOf, callbackJson, callbackText, checkSignature } from "~/gateways/webhook.server"
import { ipAddress } from "~/http/ip-address.server"
import { phpJson } from "./php-json"
import { signatureOf } from "./signature.server"

export type WebhookTrust = {
  readonly paymentKey: string
  /** IP addresses that callbacks may come from; null accepts any address. */
  readonly addresses: readonly string[] | null
}

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
  const body = bodyOf(callback)
  if (addresses && !isAmong(addresses, callback.address))
    throw new UntrustedCallbackError("IP address not allowed")
  const text = callbackText(body)
  const { sign, ...data } = objectIn(text)
  if (typeof sign !== "string" || !/^[0-9a-f]{32}$/.test(sign)) {
    throw new UntrustedCallbackError("sign is missing or malformed")
  }
  const forms = [text.replace(SIGN, ""), phpJson(data)].map((form) => ({
    form,
    signature: signatureOf(form, paymentKey),
  }))
  checkSignature(
    [sign],
    forms.map(({ signature }) => signature),
  )
  return objectIn(forms.find(({ signature }) => signature === sign)?.form ?? "")
}

function isAmong(addresses: readonly string[], address: string | null): boolean {
  const from = ipAddress(address)?.toNormalizedString()
  return from !== undefined && addresses.some((it) => ipAddress(it)?.toNormalizedString() === from)
}

function objectIn(text: string): Record<string, unknown> {
  const value = callbackJson(text)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value }
  throw new UntrustedCallbackError("not a JSON object")
}

/** A callback about an order of no shop. */
export function signedTest(paymentKey: string): SignedCallback {
  const content = { type: "payment", order_id: "callback-test", status: "check" }
  const sign = signatureOf(JSON.stringify(content), paymentKey)
  return { headers: { "content-type": "application/json" }, body: JSON.stringify({ ...content, sign }) }
}
