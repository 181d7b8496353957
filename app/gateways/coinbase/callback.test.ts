import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
} from "../../../tests/fakes/coinbase"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCoinbase } from "./coinbase.server"

interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  url: COINBASE_URL,
  key: COINBASE_KEY,
  webhookSecrets: [COINBASE_HOOK],
  timeoutMs: 5_000,
  now: () => NOON,
}
const gateway = openCoinbase(settings)

test("Coinbase signature verification accepts the reference test vectors", () => {
  const body =
    '{"id":"68f7a946db0529ea9b6d3a12","eventType":"checkout.payment.success","status":"COMPLETED","metadata":{"invoiceId":"77"}}'
  const callback = (signature: string): RawCallback => ({
    headers: new Headers({
      "x-event-id": "evt_77",
      "content-type": "application/json",
      "x-hook0-signature": signature,
    }),
    body: Buffer.from(body),
    at: 1_767_225_600_000,
    address: null,
  })
  const [v0, v1] = [
    "06ed36ba1af0e8047696ce61a2bd393f6cd6727c816c2770ce1ec7afcfde0ae4",
    "180332d1c701db1c58eb77a014d227c4db7368947177461758a4db239be53504",
  ]
  const h = "h=x-event-id content-type"
  // The signature is valid, but the checkout belongs to other software.
  for (const genuine of [`t=1767225600,v0=${v0},${h},v1=${v1}`, `t=1767225600,v0=${v0}`]) {
    expect(gateway.parseCallback(callback(genuine))).toBeNull()
  }
  // A valid v0 does not compensate for an invalid v1.
  expect(() => gateway.parseCallback(callback(`t=1767225600,v0=${v0},${h},v1=${v0}`))).toThrow(
    UntrustedCallbackError,
  )
})

const good = { body: checkoutPaid(), at: NOON }
const corrupted = (corrupt: (callback: RawCallback) => RawCallback) => corrupt(coinbaseCallback(good))
const other = (changes: Record<string, unknown>) =>
  corrupted((it) => ({ ...it, body: Buffer.from(checkoutPaid(changes)) }))
const signed = (headers: Headers, corrupt: (signature: string) => string) => {
  const changed = new Headers(headers)
  changed.set("x-hook0-signature", corrupt(headers.get("x-hook0-signature") ?? ""))
  return changed
}

test.each<[string, RawCallback]>([
  ["signed with another secret", coinbaseCallback({ ...good, secret: "another-secret" })],
  ["with a timestamp older than five minutes", coinbaseCallback({ ...good, signedAt: NOON - 301_000 })],
  [
    "with a timestamp more than five minutes in the future",
    coinbaseCallback({ ...good, signedAt: NOON + 301_000 }),
  ],
  ["without a signature", corrupted((it) => ({ ...it, headers: new Headers() }))],
  ["with an empty signature", corrupted((it) => ({ ...it, headers: signed(it.headers, () => "") }))],
  [
    "with a truncated signature",
    corrupted((it) => ({ ...it, headers: signed(it.headers, (s) => s.slice(0, -2)) })),
  ],
  [
    "with a changed timestamp",
    corrupted((it) => ({ ...it, headers: signed(it.headers, (s) => s.replace(/t=\d/, "t=2")) })),
  ],
  ["with a changed amount", other({ fiatAmount: "1.00" })],
  ["with a changed currency", other({ fiatCurrency: "USD" })],
  ["with a changed attempt", other({ metadata: { attempt: "attempt-8" } })],
  ["with a changed checkout id", other({ id: "68f7a946db0529ea9b6d3a13" })],
  ["with a truncated body", corrupted((it) => ({ ...it, body: it.body.subarray(0, 40) }))],
  [
    "with a duplicate member",
    corrupted((it) => ({ ...it, body: Buffer.from(`{"id":"c2",${checkoutPaid().slice(1)}`) })),
  ],
  ["that is not UTF-8", corrupted((it) => ({ ...it, body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }))],
  ["with an empty body", corrupted((it) => ({ ...it, body: Buffer.alloc(0) }))],
  ["with an appended byte", corrupted((it) => ({ ...it, body: Buffer.concat([it.body, Buffer.from(" ")]) }))],
  ["without a signed header", corrupted((it) => ({ ...it, headers: without(it.headers, "x-event-id") }))],
  ["with a changed signed header", corrupted((it) => ({ ...it, headers: changed(it.headers) }))],
  [
    "with the signed headers in another order",
    corrupted((it) => ({ ...it, headers: signed(it.headers, swapped) })),
  ],
  [
    "with an empty v1 signature",
    corrupted((it) => ({ ...it, headers: signed(it.headers, (s) => s.replace(/v1=.*/, "v1=")) })),
  ],
  ["of a megabyte", corrupted((it) => ({ ...it, body: Buffer.alloc(1024 * 1024) }))],
  ["with a valid signature over text that is not JSON", coinbaseCallback({ ...good, body: "paid" })],
])("Coinbase parseCallback rejects a callback %s", (_, callback) => {
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("Coinbase parseCallback accepts either webhook secret during a rotation", () => {
  const rotating = openCoinbase({ ...settings, webhookSecrets: ["new-secret", COINBASE_HOOK] })
  for (const secret of ["new-secret", COINBASE_HOOK]) {
    expect(rotating.parseCallback(coinbaseCallback({ ...good, secret }))).toMatchObject({ status: "paid" })
  }
})

test("Coinbase parseCallback accepts payment_link event names and returns null for other events", () => {
  const old = checkoutPaid().replace("checkout.payment", "payment_link.payment")
  expect(gateway.parseCallback(coinbaseCallback({ ...good, body: old }))).toMatchObject({ status: "paid" })
  const other = checkoutPaid().replace("checkout.payment.success", "wallet.created")
  expect(gateway.parseCallback(coinbaseCallback({ ...good, body: other }))).toBeNull()
})

test("a replayed Coinbase callback and a poll give the same payment update", async () => {
  const first = gateway.parseCallback(coinbaseCallback(good))
  expect(gateway.parseCallback(coinbaseCallback({ ...good, signedAt: NOON - 60_000 }))).toEqual(first)
  expect(await gateway.fetchPayment({ paymentId: "68f7a946db0529ea9b6d3a12" })).toEqual(first)
})

test("Coinbase parseCallback treats the names of signed headers case-insensitively", () => {
  const headers = "X-Event-Id Content-Type"
  expect(gateway.parseCallback(coinbaseCallback({ ...good, headers }))).toMatchObject({ status: "paid" })
})

test.each([
  ["its fiat price", { fiatAmount: undefined, fiatCurrency: undefined }],
  ["its fiat amount", { fiatAmount: undefined }],
  ["its list of refunds", { status: "PARTIALLY_REFUNDED", refundedAmount: "5.00" }],
  ["a known status", { status: "HALF_PAID" }],
])("Coinbase parseCallback returns a hint for a callback without %s", async (_, changes) => {
  const callback = coinbaseCallback({ ...good, body: checkoutPaid(changes) })
  const hint = { paymentId: "68f7a946db0529ea9b6d3a12", attemptId: "attempt-7" }
  expect(gateway.parseCallback(callback)).toEqual(hint)
  expect(await gateway.fetchPayment({ paymentId: hint.paymentId })).toMatchObject({
    status: "paid",
    received: { minor: 1250, currency: "EUR" },
  })
})

test("Coinbase parseCallback throws a GatewayError with attemptId and summary for a signed callback without a valid checkout id", () => {
  const strange = coinbaseCallback({ ...good, body: checkoutPaid({ id: "..", fiatCurrency: "CHF" }) })
  const error = { attemptId: "attempt-7", message: expect.stringContaining("fiatCurrency CHF") }
  expect(() => gateway.parseCallback(strange)).toThrow(expect.objectContaining(error))
  expect(() => gateway.parseCallback(strange)).toThrow(GatewayError)
})

function without(headers: Headers, name: string): Headers {
  const fewer = new Headers(headers)
  fewer.delete(name)
  return fewer
}

function changed(headers: Headers): Headers {
  const other = new Headers(headers)
  other.set("x-event-id", "evt_78")
  return other
}

function swapped(signature: string): string {
  return signature.replace("x-event-id content-type", "content-type x-event-id")
}
