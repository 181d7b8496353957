import { expect, test } from "vitest"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
} from "../../tests/mocks/coinbase"
import { openCoinbase } from "./coinbase.server"
import { GatewayError, type RawCallback, UntrustedCallback } from "./gateway"

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
    at: 1_767_225_600_000,
  })
  const [v0, v1] = [
    "06ed36ba1af0e8047696ce61a2bd393f6cd6727c816c2770ce1ec7afcfde0ae4",
    "180332d1c701db1c58eb77a014d227c4db7368947177461758a4db239be53504",
  ]
  const h = "h=x-event-id content-type"
  // Genuine, and without a price: it is the provider, whose words cannot be read.
  for (const genuine of [`t=1767225600,v0=${v0},${h},v1=${v1}`, `t=1767225600,v0=${v0}`]) {
    expect(() => gateway.readCallback(callback(genuine))).toThrow(GatewayError)
  }
  // A right v0 does not save a wrong v1.
  expect(() => gateway.readCallback(callback(`t=1767225600,v0=${v0},${h},v1=${v0}`))).toThrow(
    UntrustedCallback,
  )
})

const good = { body: checkoutPaid(), at: NOON }
const spoilt = (spoil: (callback: RawCallback) => RawCallback) => spoil(coinbaseCallback(good))
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
  ["with another body", spoilt((it) => ({ ...it, body: Buffer.from(checkoutPaid({ fiatAmount: "1.00" })) }))],
  ["with a byte more", spoilt((it) => ({ ...it, body: Buffer.concat([it.body, Buffer.from(" ")]) }))],
  [
    "whose signed header did not come",
    spoilt((it) => ({ ...it, headers: without(it.headers, "x-event-id") })),
  ],
  ["whose signed header was changed", spoilt((it) => ({ ...it, headers: changed(it.headers) }))],
  ["with headers in another order", spoilt((it) => ({ ...it, headers: signed(it.headers, swapped) }))],
  ["larger than any callback", spoilt((it) => ({ ...it, body: Buffer.alloc(65 * 1024) }))],
])("a callback %s is refused", (_, callback) => {
  expect(() => gateway.readCallback(callback)).toThrow(UntrustedCallback)
})

test("during rotation callbacks signed with either secret are accepted", () => {
  const rotating = openCoinbase({ ...settings, webhookSecrets: ["new-secret", COINBASE_HOOK] })
  for (const secret of ["new-secret", COINBASE_HOOK]) {
    expect(rotating.readCallback(coinbaseCallback({ ...good, secret }))).toMatchObject({ status: "paid" })
  }
})

test("events under their old names count, and events about something else are none", () => {
  const old = checkoutPaid().replace("checkout.payment", "payment_link.payment")
  expect(gateway.readCallback(coinbaseCallback({ ...good, body: old }))).toMatchObject({ status: "paid" })
  const other = checkoutPaid().replace("checkout.payment.success", "wallet.created")
  expect(gateway.readCallback(coinbaseCallback({ ...good, body: other }))).toBeNull()
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
