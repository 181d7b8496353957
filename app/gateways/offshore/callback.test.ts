import { Webhook } from "standardwebhooks"
import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  OFFSHORE_LINKS,
  OFFSHORE_SECRET,
  OFFSHORE_URL,
  offshoreCallback,
  paymentUpdated,
} from "../../../tests/fakes/offshore"
import { openOffshore } from "./offshore.server"
import { openWebhook } from "./webhook.server"

const NOON = Date.UTC(2026, 10, 20, 12)
const OLD_SECRET = "whsec_dGhlLXNlY3JldC1iZWZvcmUtcm90YXRpb24tMzItYnl0ZXMh"
const settings = { url: OFFSHORE_URL, callbackSecrets: [OFFSHORE_SECRET, OLD_SECRET], timeoutMs: 1_000 }
const gateway = openOffshore(settings)
const byLink = openOffshore({ ...settings, link: OFFSHORE_LINKS })
const good = () => offshoreCallback({ body: paymentUpdated(), at: NOON })
const signatureOf = (callback: RawCallback) => callback.headers.get("webhook-signature") ?? ""

test("the published check value of Standard Webhooks is accepted", () => {
  const headers = new Headers({
    "webhook-id": "msg_dev1",
    "webhook-timestamp": "1767225600",
    "webhook-signature": "v1,RDHdvH5WBz+VLXcrGgF+qhAHKUrHbpBmu2j0sx6nC9k=",
  })
  const text = '{"type":"invoice.paid","timestamp":"2026-01-01T00:00:00Z","data":{"invoiceid":77}}'
  const keys = [new Webhook("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")]
  const callback = { headers, body: Buffer.from(text), at: 1_767_225_600_000, address: null }
  expect(openWebhook(callback, keys)).toEqual({ id: "msg_dev1", text })
})

test("a callback is known by its message's name, so a repeat is the same news", () => {
  const later = offshoreCallback({ body: paymentUpdated(), at: NOON + 60_000, id: "msg_1" })
  for (const callback of [good(), later]) {
    expect(gateway.parseCallback(callback)).toMatchObject({ eventKey: "msg_1" })
  }
})

test("while secrets are rotated, callbacks signed with the earlier one are still taken", () => {
  const callback = offshoreCallback({ body: paymentUpdated(), at: NOON, secret: OLD_SECRET })
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test("one right signature among others is enough", () => {
  const callback = good()
  callback.headers.set("webhook-signature", `v1,bm90IHRoaXM= v1a,bm9yIHRoaXM= ${signatureOf(callback)}`)
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test.each([
  ["a version that is not known yet", "v2,bm90IHRoaXM="],
  ["a version without a signature", "v1a"],
  ["many signatures of another version", Array(20).fill("v1a,bm90IHRoaXM=").join(" ")],
])("a list that begins with %s is accepted by the right signature behind it", (_, first) => {
  const callback = good()
  callback.headers.set("webhook-signature", `${first} ${signatureOf(callback)}`)
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test.each([-300, 300])("a callback whose clock is %i seconds off is still taken", (seconds) => {
  const callback = offshoreCallback({ body: paymentUpdated(), at: NOON, signedAt: NOON + seconds * 1_000 })
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test("news about something else than a payment is no news", () => {
  const body = JSON.stringify({ type: "payout.sent", data: { amount: "1.00" } })
  expect(gateway.parseCallback(offshoreCallback({ body, at: NOON }))).toBeNull()
})

const hostile: [string, () => RawCallback][] = [
  ["has no signature", () => without("webhook-signature")],
  ["has no name", () => without("webhook-id")],
  ["has no time", () => without("webhook-timestamp")],
  [
    "is signed with another key",
    () => offshoreCallback({ ...now(), secret: "whsec_AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH" }),
  ],
  ["is 301 seconds old", () => offshoreCallback({ ...now(), signedAt: NOON - 301_000 })],
  ["comes 301 seconds from the future", () => offshoreCallback({ ...now(), signedAt: NOON + 301_000 })],
  ["names another amount than was signed", () => ({ ...good(), body: altered("12.50", "99.50") })],
  ["names another currency than was signed", () => ({ ...good(), body: altered("EUR", "USD") })],
  ["names another state than was signed", () => ({ ...good(), body: altered("paid", "refunded") })],
  ["says something twice", () => ({ ...good(), body: altered('"data":{', '"data":{"status":"paid",') })],
  ["is a megabyte, though signed", () => offshoreCallback({ ...now(), body: " ".repeat(1024 * 1024) })],
  ["names another order than was signed", () => ({ ...good(), body: altered("attempt-7", "attempt-8") })],
  ["is cut short", () => ({ ...good(), body: good().body.subarray(0, -1) })],
  ["is longer than was signed", () => ({ ...good(), body: Buffer.concat([good().body, Buffer.from(" ")]) })],
  ["is empty", () => ({ ...good(), body: Buffer.alloc(0) })],
  [
    "is larger than 64 kB, though signed",
    () => offshoreCallback({ ...now(), body: `"${"x".repeat(65_536)}"` }),
  ],
  ["is not UTF-8", () => ({ ...good(), body: Buffer.concat([Buffer.from([0xff]), good().body]) })],
  ["is not JSON, though signed", () => offshoreCallback({ ...now(), body: "status=paid" })],
  ["has another name than was signed", () => withHeader("webhook-id", "msg_2")],
  ["has a time that is no number", () => withHeader("webhook-timestamp", `${NOON / 1_000}junk`)],
  ["has another time than was signed", () => withHeader("webhook-timestamp", String(NOON / 1_000 + 1))],
  ["has an empty signature", () => withHeader("webhook-signature", "v1,")],
  [
    "has a signature of another kind",
    () => withHeader("webhook-signature", signatureOf(good()).replace("v1,", "v1a,")),
  ],
  [
    "has unknown versions only",
    () => withHeader("webhook-signature", signatureOf(good()).replace("v1,", "v2,")),
  ],
  ["has a signature without its kind", () => withHeader("webhook-signature", signatureOf(good()).slice(3))],
  ["has two signature headers of junk", () => twice("webhook-signature", "v1,anVuaw==", "v1,anVuaw==")],
  ["has its name twice", () => twice("webhook-id", "msg_1", "msg_1")],
  [
    "hides the right signature behind a heap of junk",
    () => withHeader("webhook-signature", `${"v1,anVuaw== ".repeat(50)}${signatureOf(good())}`),
  ],
]

test.each(hostile)("a callback that %s is refused and nothing of it is read", (_, callback) => {
  expect(() => gateway.parseCallback(callback())).toThrow(UntrustedCallbackError)
  expect(() => byLink.parseCallback(callback())).toThrow(UntrustedCallbackError)
})

test.each([
  ["an unknown status", { status: "on_hold" }],
  ["no reference", { reference: "" }],
  ["a currency we do not know", { currency: "XYZ" }],
  ["an amount that is none", { amount_paid: "all of it" }],
])("a genuine callback with %s is loudly unreadable rather than guessed at", (_, body) => {
  const callback = offshoreCallback({ body: paymentUpdated(body), at: NOON })
  expect(() => gateway.parseCallback(callback)).toThrow(GatewayError)
  expect(() => byLink.parseCallback(callback)).toThrow(GatewayError)
})

function now() {
  return { body: paymentUpdated(), at: NOON }
}

function altered(from: string, to: string): Buffer {
  return Buffer.from(paymentUpdated().replaceAll(from, to))
}

function without(name: string): RawCallback {
  const callback = good()
  callback.headers.delete(name)
  return callback
}

function withHeader(name: string, value: string): RawCallback {
  const callback = good()
  callback.headers.set(name, value)
  return callback
}

function twice(name: string, first: string, second: string): RawCallback {
  const callback = withHeader(name, first)
  callback.headers.append(name, second)
  return callback
}
