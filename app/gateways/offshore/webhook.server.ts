import type { Webhook } from "standardwebhooks"
import { type Instant, SECOND } from "~/domain/calendar"
import type { RawCallback, SignedCallback } from "~/gateways/gateway"
import { bodyOf, callbackText, checkFresh, checkSignature, signedHeader } from "~/gateways/webhook.server"

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
  const body = bodyOf(callback)
  const [id] = signedHeader(callback, "webhook-id", /^[\x21-\x7e]{1,200}$/)
  const timestamp = Number(signedHeader(callback, "webhook-timestamp", /^[1-9]\d{0,11}$/)[0])
  const [signatures] = signedHeader(callback, "webhook-signature", /^[\x20-\x7e]+$/)
  checkFresh(timestamp, callback.at)
  const text = callbackText(body)
  const given = signatures
    .split(" ")
    .filter((signature) => signature.startsWith(VERSION))
    .slice(0, MAX_SIGNATURES)
  checkSignature(
    given,
    keys.map((key) => key.sign(id, new Date(timestamp * SECOND), text)),
  )
  return { id, text }
}

/** A callback of a type that is about no payment, signed with the first key. */
export function signedTest([key]: readonly Webhook[], at: Instant): SignedCallback {
  const id = `msg_test_${at}`
  const body = JSON.stringify({ type: "callback.test", data: {} })
  return {
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at / SECOND)),
      "webhook-signature": key?.sign(id, new Date(at), body) ?? "",
    },
    body,
  }
}
