import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
} from "../../../tests/fakes/coinbase"
import { COMMERCE_SECRET, chargeCallback, commerceCallback } from "../../../tests/fakes/coinbase-commerce"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { openCoinbase } from "./coinbase.server"

const settings = {
  ...{ url: COINBASE_URL, key: COINBASE_KEY, webhookSecrets: [COINBASE_HOOK] },
  ...{ timeoutMs: 5_000, now: Date.now },
}
const gateway = openCoinbase({ ...settings, commerceSecrets: [COMMERCE_SECRET] })
const good = () => commerceCallback(chargeCallback())

test("the check value of the reference", () => {
  const body =
    '{"id":"a1","scheduled_for":"2026-01-05T10:00:00Z","attempt_number":1,"event":{"id":"e1","resource":"event","type":"charge:pending","api_version":"2018-03-22","created_at":"2026-01-05T10:00:00Z","data":{"code":"ABCD1234","metadata":{"invoiceid":"77"}}}}'
  const code = "8b00d24010ec363c7073e33fbc03b408b60aa39bf6dd1f680f7793912f3747c3"
  const callback = (signature: string): RawCallback => ({
    headers: new Headers({ "x-cc-webhook-signature": signature }),
    ...{ body: Buffer.from(body), at: Date.UTC(2026, 0, 5, 10), address: null },
  })
  // Genuine, and its charge says neither how it stands nor what it costs: believed, and not guessed at.
  expect(() => gateway.parseCallback(callback(code))).toThrow(GatewayError)
  expect(() => gateway.parseCallback(callback(code.replace("8", "9")))).toThrow(UntrustedCallbackError)
})

test("a charge of before that is paid is money received for the attempt it names", () => {
  expect(gateway.parseCallback(good())).toEqual({
    ...{ eventKey: "commerce e1", attemptId: "attempt-7", status: "paid", transactionId: "0xe02f" },
    received: { minor: 1250, currency: "EUR" },
  })
})

test("an attempt of our own in a charge goes before the invoice of the old module", () => {
  const charge = { metadata: { attempt: "attempt-8", invoiceid: "77" } }
  expect(gateway.parseCallback(commerceCallback(chargeCallback({ charge })))?.attemptId).toBe("attempt-8")
})

test("an event that is sent again is the same news, and another event is other news", () => {
  const key = (body: string) => parsedUpdate(gateway, commerceCallback(body))?.eventKey
  const again = chargeCallback().replace('"attempt_number":1', '"attempt_number":2')
  expect(key(again)).toBe(key(chargeCallback()))
  expect(key(chargeCallback({ event: { id: "e2" } }))).not.toBe(key(chargeCallback()))
})

test.each([
  ["about something else than a charge", { event: { type: "invoice:paid" } }],
  ["about a charge without metadata", { charge: { metadata: null } }],
  ["about a charge that names nothing of ours", { charge: { metadata: { customer_id: "id_1005" } } }],
])("a genuine callback %s is no news", (_, changes) => {
  expect(gateway.parseCallback(commerceCallback(chargeCallback(changes)))).toBeNull()
})

const altered = (from: string, to: string) => () => ({
  ...good(),
  body: Buffer.from(chargeCallback().replaceAll(from, to)),
})
const signedAs = (spoil: (signature: string) => string) => () => {
  const callback = good()
  callback.headers.set("x-cc-webhook-signature", spoil(callback.headers.get("x-cc-webhook-signature") ?? ""))
  return callback
}
const body = (spoil: (body: Buffer) => Buffer) => () => ({ ...good(), body: spoil(good().body) })

test.each<[string, () => RawCallback]>([
  ["signed by somebody else", () => commerceCallback(chargeCallback(), "somebody-else")],
  ["signed with the secret for checkouts", () => commerceCallback(chargeCallback(), COINBASE_HOOK)],
  ["with an empty signature", signedAs(() => "")],
  ["with half a signature", signedAs((it) => it.slice(0, 32))],
  ["with a longer signature", signedAs((it) => `${it}00`)],
  ["with a signature in capitals", signedAs((it) => it.toUpperCase())],
  ["with a signature that is no code", signedAs(() => "z".repeat(64))],
  ["with two signatures, one of them right", signedAs((it) => `${it}, ${"0".repeat(64)}`)],
  ["with another amount", altered("12.5", "99.5")],
  ["with another currency", altered("EUR", "USD")],
  ["for another attempt", altered("attempt-7", "attempt-8")],
  ["about another charge", altered("2aee9dd1", "2aee9dd2")],
  ["of another merchant's account", altered('"clientid":"5"', '"clientid":"6"')],
  ["that is another event", altered('"id":"e1"', '"id":"e2"')],
  ["that says paid of what is pending", altered("COMPLETED", "RESOLVED")],
  ["with a member twice", altered('"event":{', '"event":{"id":"e0",')],
  ["cut off", body((it) => it.subarray(0, -1))],
  ["with a byte more", body((it) => Buffer.concat([it, Buffer.from("\n")]))],
  ["without anything in it", body(() => Buffer.alloc(0))],
  ["that is not UTF-8", body((it) => Buffer.concat([Buffer.from([0xff]), it]))],
  ["of a megabyte", body(() => Buffer.alloc(1024 * 1024))],
  ["of a megabyte, though signed", () => commerceCallback(" ".repeat(1024 * 1024))],
  ["that is not UTF-8, though signed", () => commerceCallback(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ["that is no JSON, though signed", () => commerceCallback("paid")],
])("a callback of the Commerce era %s is refused", (_, callback) => {
  expect(() => gateway.parseCallback(callback())).toThrow(UntrustedCallbackError)
})

test.each([
  ["without an event", "{}"],
  ["that is a list", "[]"],
  ["of an event without a name", chargeCallback({ event: { id: "" } })],
  ["of an event without a charge", chargeCallback({ event: { data: null } })],
])("a genuine callback %s is loudly unreadable", (_, text) => {
  expect(() => gateway.parseCallback(commerceCallback(text))).toThrow(GatewayError)
})

test("a shop that has never been with Commerce believes none of its callbacks", () => {
  for (const commerceSecrets of [undefined, []]) {
    expect(() => openCoinbase({ ...settings, commerceSecrets }).parseCallback(good())).toThrow(
      UntrustedCallbackError,
    )
  }
})

test("any of several secrets may have signed, and an empty one stops the start", () => {
  const both = openCoinbase({ ...settings, commerceSecrets: ["new-secret", COMMERCE_SECRET] })
  for (const secret of ["new-secret", COMMERCE_SECRET]) {
    expect(both.parseCallback(commerceCallback(chargeCallback(), secret))).toMatchObject({ status: "paid" })
  }
  expect(() => openCoinbase({ ...settings, commerceSecrets: [""] })).toThrow(/COINBASE_COMMERCE_SECRET/)
})

test("callbacks about checkouts are read as before, and a wrong old signature spoils a right new one", () => {
  const at = Date.UTC(2026, 10, 20, 12)
  const callback = coinbaseCallback({ body: checkoutPaid(), at })
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid", attemptId: "attempt-7" })
  callback.headers.set("x-cc-webhook-signature", "0".repeat(64))
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("what is wrong is said without a secret or a signature", () => {
  const spoken = [signedAs((it) => it.replace(/^./, "x")), () => commerceCallback("{}")].map((callback) => {
    try {
      gateway.parseCallback(callback())
    } catch (error) {
      return String(error)
    }
    return "taken"
  })
  for (const message of spoken)
    expect(message).not.toMatch(new RegExp(`taken|${COMMERCE_SECRET}|[0-9a-f]{32}`))
})
