import { Webhook } from "standardwebhooks"
import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { callbackContract } from "../../../tests/contracts/gateway/callback-contract"
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

for (const [name, it] of [
  ["offshore", gateway],
  ["offshore by links", byLink],
] as const) {
  callbackContract(name, {
    gateway: it,
    body: paymentUpdated(),
    signed: (body, secret = OFFSHORE_SECRET) => offshoreCallback({ body, at: NOON, secret }),
    withSignature(callback, change) {
      callback.headers.set("webhook-signature", `v1,${change(signatureOf(callback).slice(3))}`)
      return callback
    },
    altered: [
      ["amount", "12.50", "99.50"],
      ["currency", "EUR", "USD"],
      ["status", "paid", "refunded"],
      ["reference", "attempt-7", "attempt-8"],
    ],
    signedAt: (signedAt) => offshoreCallback({ body: paymentUpdated(), at: NOON, signedAt }),
  })
}

test("openWebhook accepts the Standard Webhooks test vector", () => {
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

test("a redelivered offshore callback has the same eventKey, its webhook-id", () => {
  const later = offshoreCallback({ body: paymentUpdated(), at: NOON + 60_000, id: "msg_1" })
  for (const callback of [good(), later]) {
    expect(gateway.parseCallback(callback)).toMatchObject({ eventKey: "msg_1" })
  }
})

test("offshore parseCallback accepts the previous secret during a rotation", () => {
  const callback = offshoreCallback({ body: paymentUpdated(), at: NOON, secret: OLD_SECRET })
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test("offshore parseCallback accepts one valid signature among others", () => {
  const callback = good()
  callback.headers.set("webhook-signature", `v1,bm90IHRoaXM= v1a,bm9yIHRoaXM= ${signatureOf(callback)}`)
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test.each([
  ["an unknown version", "v2,bm90IHRoaXM="],
  ["a version without a signature", "v1a"],
  ["many signatures of another version", Array(20).fill("v1a,bm90IHRoaXM=").join(" ")],
])("offshore parseCallback accepts a valid signature after %s", (_, first) => {
  const callback = good()
  callback.headers.set("webhook-signature", `${first} ${signatureOf(callback)}`)
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid" })
})

test("offshore parseCallback returns null for an event that is not about a payment", () => {
  const body = JSON.stringify({ type: "payout.sent", data: { amount: "1.00" } })
  expect(gateway.parseCallback(offshoreCallback({ body, at: NOON }))).toBeNull()
})

const hostile: [string, () => RawCallback][] = [
  ["has no signature", () => without("webhook-signature")],
  ["has no webhook-id", () => without("webhook-id")],
  ["has no timestamp", () => without("webhook-timestamp")],
  ["has a changed webhook-id", () => withHeader("webhook-id", "msg_2")],
  ["has a timestamp that is not a number", () => withHeader("webhook-timestamp", `${NOON / 1_000}junk`)],
  ["has a changed timestamp", () => withHeader("webhook-timestamp", String(NOON / 1_000 + 1))],
  [
    "has the signature under version v1a",
    () => withHeader("webhook-signature", signatureOf(good()).replace("v1,", "v1a,")),
  ],
  [
    "has the signature under version v2",
    () => withHeader("webhook-signature", signatureOf(good()).replace("v1,", "v2,")),
  ],
  ["has a signature without a version", () => withHeader("webhook-signature", signatureOf(good()).slice(3))],
  ["has two invalid signature headers", () => twice("webhook-signature", "v1,anVuaw==", "v1,anVuaw==")],
  ["has webhook-id twice", () => twice("webhook-id", "msg_1", "msg_1")],
  [
    "has the valid signature after 50 invalid ones",
    () => withHeader("webhook-signature", `${"v1,anVuaw== ".repeat(50)}${signatureOf(good())}`),
  ],
]

test.each(hostile)(
  "offshore parseCallback rejects a callback that %s, in API and link mode",
  (_, callback) => {
    expect(() => gateway.parseCallback(callback())).toThrow(UntrustedCallbackError)
    expect(() => byLink.parseCallback(callback())).toThrow(UntrustedCallbackError)
  },
)

test.each([
  ["an unknown status", { status: "on_hold" }],
  ["no reference", { reference: "" }],
  ["an unknown currency", { currency: "XYZ" }],
  ["a malformed amount", { amount_paid: "all of it" }],
])("offshore parseCallback throws a GatewayError for a signed callback with %s", (_, body) => {
  const callback = offshoreCallback({ body: paymentUpdated(body), at: NOON })
  expect(() => gateway.parseCallback(callback)).toThrow(GatewayError)
  expect(() => byLink.parseCallback(callback)).toThrow(GatewayError)
})

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
