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
  ...{ url: COINBASE_URL, key: COINBASE_KEY, webhookSecrets: [COINBASE_HOOK] },
  ...{ timeoutMs: 5_000, now: () => NOON },
}
const gateway = openCoinbase(settings)

test("the check values of the reference", () => {
  const body =
    '{"id":"68f7a946db0529ea9b6d3a12","eventType":"checkout.payment.success","status":"COMPLETED","metadata":{"invoiceId":"77"}}'
  const callback = (signature: string): RawCallback => ({
    headers: new Headers({
      ...{ "x-event-id": "evt_77", "content-type": "application/json", "x-hook0-signature": signature },
    }),
    body: Buffer.from(body),
    ...{ at: 1_767_225_600_000, address: null },
  })
  const [v0, v1] = [
    "06ed36ba1af0e8047696ce61a2bd393f6cd6727c816c2770ce1ec7afcfde0ae4",
    "180332d1c701db1c58eb77a014d227c4db7368947177461758a4db239be53504",
  ]
  const h = "h=x-event-id content-type"
  // Genuine, and about a checkout that somebody else opened: believed, and no news of ours.
  for (const genuine of [`t=1767225600,v0=${v0},${h},v1=${v1}`, `t=1767225600,v0=${v0}`]) {
    expect(gateway.parseCallback(callback(genuine))).toBeNull()
  }
  // A right v0 does not save a wrong v1.
  expect(() => gateway.parseCallback(callback(`t=1767225600,v0=${v0},${h},v1=${v0}`))).toThrow(
    UntrustedCallbackError,
  )
})

const good = { body: checkoutPaid(), at: NOON }
const spoilt = (spoil: (callback: RawCallback) => RawCallback) => spoil(coinbaseCallback(good))
const other = (changes: Record<string, unknown>) =>
  spoilt((it) => ({ ...it, body: Buffer.from(checkoutPaid(changes)) }))
const signed = (headers: Headers, spoil: (signature: string) => string) => {
  const changed = new Headers(headers)
  changed.set("x-hook0-signature", spoil(headers.get("x-hook0-signature") ?? ""))
  return changed
}

test.each<[string, RawCallback]>([
  ["signed by somebody else", coinbaseCallback({ ...good, secret: "somebody-else" })],
  ["older than five minutes", coinbaseCallback({ ...good, signedAt: NOON - 301_000 })],
  ["from more than five minutes ahead", coinbaseCallback({ ...good, signedAt: NOON + 301_000 })],
  ["without a signature", spoilt((it) => ({ ...it, headers: new Headers() }))],
  ["with an empty signature", spoilt((it) => ({ ...it, headers: signed(it.headers, () => "") }))],
  ["with half a code", spoilt((it) => ({ ...it, headers: signed(it.headers, (s) => s.slice(0, -2)) }))],
  [
    "with another time",
    spoilt((it) => ({ ...it, headers: signed(it.headers, (s) => s.replace(/t=\d/, "t=2")) })),
  ],
  ["with another amount", other({ fiatAmount: "1.00" })],
  ["with another currency", other({ fiatCurrency: "USD" })],
  ["for another attempt", other({ metadata: { attempt: "attempt-8" } })],
  ["about another checkout", other({ id: "68f7a946db0529ea9b6d3a13" })],
  ["cut off", spoilt((it) => ({ ...it, body: it.body.subarray(0, 40) }))],
  [
    "with a member twice",
    spoilt((it) => ({ ...it, body: Buffer.from(`{"id":"c2",${checkoutPaid().slice(1)}`) })),
  ],
  ["that is not UTF-8", spoilt((it) => ({ ...it, body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }))],
  ["without anything in it", spoilt((it) => ({ ...it, body: Buffer.alloc(0) }))],
  ["with a byte more", spoilt((it) => ({ ...it, body: Buffer.concat([it.body, Buffer.from(" ")]) }))],
  [
    "whose signed header did not come",
    spoilt((it) => ({ ...it, headers: without(it.headers, "x-event-id") })),
  ],
  ["whose signed header was changed", spoilt((it) => ({ ...it, headers: changed(it.headers) }))],
  ["with headers in another order", spoilt((it) => ({ ...it, headers: signed(it.headers, swapped) }))],
  [
    "whose v1 is empty",
    spoilt((it) => ({ ...it, headers: signed(it.headers, (s) => s.replace(/v1=.*/, "v1=")) })),
  ],
  ["of a megabyte", spoilt((it) => ({ ...it, body: Buffer.alloc(1024 * 1024) }))],
  ["that the provider signed and that is no JSON", coinbaseCallback({ ...good, body: "paid" })],
])("a callback %s is refused", (_, callback) => {
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("during rotation callbacks signed with either secret are accepted", () => {
  const rotating = openCoinbase({ ...settings, webhookSecrets: ["new-secret", COINBASE_HOOK] })
  for (const secret of ["new-secret", COINBASE_HOOK]) {
    expect(rotating.parseCallback(coinbaseCallback({ ...good, secret }))).toMatchObject({ status: "paid" })
  }
})

test("events under their old names count, and events about something else are none", () => {
  const old = checkoutPaid().replace("checkout.payment", "payment_link.payment")
  expect(gateway.parseCallback(coinbaseCallback({ ...good, body: old }))).toMatchObject({ status: "paid" })
  const other = checkoutPaid().replace("checkout.payment.success", "wallet.created")
  expect(gateway.parseCallback(coinbaseCallback({ ...good, body: other }))).toBeNull()
})

test("a callback replayed in time is the same news, and asking tells the same", async () => {
  const first = gateway.parseCallback(coinbaseCallback(good))
  expect(gateway.parseCallback(coinbaseCallback({ ...good, signedAt: NOON - 60_000 }))).toEqual(first)
  expect(await gateway.fetchPayment({ paymentId: "68f7a946db0529ea9b6d3a12" })).toEqual(first)
})

test("names of signed headers count whichever case they are written in", () => {
  const headers = "X-Event-Id Content-Type"
  expect(gateway.parseCallback(coinbaseCallback({ ...good, headers }))).toMatchObject({ status: "paid" })
})

test.each([
  ["its price in money of ours", { fiatAmount: undefined, fiatCurrency: undefined }],
  ["the amount of its price", { fiatAmount: undefined }],
  ["what was refunded of it", { status: "PARTIALLY_REFUNDED", refundedAmount: "5.00" }],
  ["a status anybody knows", { status: "HALF_PAID" }],
])("a callback without %s has the provider asked for the checkout", async (_, changes) => {
  const callback = coinbaseCallback({ ...good, body: checkoutPaid(changes) })
  const hint = { paymentId: "68f7a946db0529ea9b6d3a12", attemptId: "attempt-7" }
  expect(gateway.parseCallback(callback)).toEqual(hint)
  expect(await gateway.fetchPayment({ paymentId: hint.paymentId })).toMatchObject({
    status: "paid",
    received: { minor: 1250, currency: "EUR" },
  })
})

test("what the provider signs, and can neither be read nor asked for, is loud and names our attempt", () => {
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
