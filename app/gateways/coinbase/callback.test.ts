import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { callbackContract } from "../../../tests/contracts/gateway/callback-contract"
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
const signed = (headers: Headers, corrupt: (signature: string) => string) => {
  const changed = new Headers(headers)
  changed.set("x-hook0-signature", corrupt(headers.get("x-hook0-signature") ?? ""))
  return changed
}

/** Which of the two signatures decides: v1 where the header has it. */
const v1 = (change: (signature: string) => string) => (header: string) =>
  header.replace(/v1=(.*)$/, (_, signature) => `v1=${change(signature)}`)

callbackContract("Coinbase", {
  gateway,
  body: checkoutPaid(),
  signed: (body, secret = COINBASE_HOOK) => coinbaseCallback({ body, at: NOON, secret }),
  withSignature: (callback, change) => ({ ...callback, headers: signed(callback.headers, v1(change)) }),
  altered: [
    ["amount", "12.50", "99.50"],
    ["currency", "EUR", "USD"],
    ["attempt", "attempt-7", "attempt-8"],
    ["checkout id", "68f7a946db0529ea9b6d3a12", "68f7a946db0529ea9b6d3a13"],
    ["status", "COMPLETED", "REFUNDED"],
  ],
  signedAt: (signedAt) => coinbaseCallback({ ...good, signedAt }),
})

test.each<[string, RawCallback]>([
  ["without a signature", corrupted((it) => ({ ...it, headers: new Headers() }))],
  ["with an empty header", corrupted((it) => ({ ...it, headers: signed(it.headers, () => "") }))],
  [
    "with a changed timestamp",
    corrupted((it) => ({ ...it, headers: signed(it.headers, (s) => s.replace(/t=\d/, "t=2")) })),
  ],
  ["without a signed header", corrupted((it) => ({ ...it, headers: without(it.headers, "x-event-id") }))],
  ["with a changed signed header", corrupted((it) => ({ ...it, headers: changed(it.headers) }))],
  [
    "with the signed headers in another order",
    corrupted((it) => ({ ...it, headers: signed(it.headers, swapped) })),
  ],
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
