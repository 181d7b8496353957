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

test("Commerce signature verification accepts the reference test vector", () => {
  const body =
    '{"id":"a1","scheduled_for":"2026-01-05T10:00:00Z","attempt_number":1,"event":{"id":"e1","resource":"event","type":"charge:pending","api_version":"2018-03-22","created_at":"2026-01-05T10:00:00Z","data":{"code":"ABCD1234","metadata":{"invoiceid":"77"}}}}'
  const code = "8b00d24010ec363c7073e33fbc03b408b60aa39bf6dd1f680f7793912f3747c3"
  const callback = (signature: string): RawCallback => ({
    headers: new Headers({ "x-cc-webhook-signature": signature }),
    ...{ body: Buffer.from(body), at: Date.UTC(2026, 0, 5, 10), address: null },
  })
  // The signature is valid, but the charge has neither status nor price.
  expect(() => gateway.parseCallback(callback(code))).toThrow(GatewayError)
  expect(() => gateway.parseCallback(callback(code.replace("8", "9")))).toThrow(UntrustedCallbackError)
})

test("a paid Commerce charge gives a payment update for the attempt in its metadata", () => {
  expect(gateway.parseCallback(good())).toEqual({
    ...{ eventKey: "commerce e1", attemptId: "attempt-7", status: "paid", transactionId: "0xe02f" },
    received: { minor: 1250, currency: "EUR" },
  })
})

test("the attempt id takes precedence over the WHMCS module's invoiceid in a Commerce charge", () => {
  const charge = { metadata: { attempt: "attempt-8", invoiceid: "77" } }
  expect(gateway.parseCallback(commerceCallback(chargeCallback({ charge })))?.attemptId).toBe("attempt-8")
})

test("a Commerce redelivery has the same eventKey and another event a different one", () => {
  const key = (body: string) => parsedUpdate(gateway, commerceCallback(body))?.eventKey
  const again = chargeCallback().replace('"attempt_number":1', '"attempt_number":2')
  expect(key(again)).toBe(key(chargeCallback()))
  expect(key(chargeCallback({ event: { id: "e2" } }))).not.toBe(key(chargeCallback()))
})

test.each([
  ["about an invoice event", { event: { type: "invoice:paid" } }],
  ["about a charge without metadata", { charge: { metadata: null } }],
  ["about a charge of other software", { charge: { metadata: { customer_id: "id_1005" } } }],
])("Commerce parseCallback returns null for a signed callback %s", (_, changes) => {
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
  ["signed with another secret", () => commerceCallback(chargeCallback(), "somebody-else")],
  ["signed with the Checkouts secret", () => commerceCallback(chargeCallback(), COINBASE_HOOK)],
  ["with an empty signature", signedAs(() => "")],
  ["with a truncated signature", signedAs((it) => it.slice(0, 32))],
  ["with a longer signature", signedAs((it) => `${it}00`)],
  ["with an upper-case signature", signedAs((it) => it.toUpperCase())],
  ["with a signature that is not hexadecimal", signedAs(() => "z".repeat(64))],
  ["with two signatures, one of them valid", signedAs((it) => `${it}, ${"0".repeat(64)}`)],
  ["with a changed amount", altered("12.5", "99.5")],
  ["with a changed currency", altered("EUR", "USD")],
  ["with a changed attempt", altered("attempt-7", "attempt-8")],
  ["with a changed charge id", altered("2aee9dd1", "2aee9dd2")],
  ["with a changed merchant", altered('"clientid":"5"', '"clientid":"6"')],
  ["with a changed event id", altered('"id":"e1"', '"id":"e2"')],
  ["with a changed status", altered("COMPLETED", "RESOLVED")],
  ["with a duplicate member", altered('"event":{', '"event":{"id":"e0",')],
  ["with a truncated body", body((it) => it.subarray(0, -1))],
  ["with an appended byte", body((it) => Buffer.concat([it, Buffer.from("\n")]))],
  ["with an empty body", body(() => Buffer.alloc(0))],
  ["that is not UTF-8", body((it) => Buffer.concat([Buffer.from([0xff]), it]))],
  ["of a megabyte", body(() => Buffer.alloc(1024 * 1024))],
  ["of a megabyte with a valid signature", () => commerceCallback(" ".repeat(1024 * 1024))],
  [
    "that is not UTF-8, with a valid signature",
    () => commerceCallback(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  ],
  ["that is not JSON, with a valid signature", () => commerceCallback("paid")],
])("Commerce parseCallback rejects a callback %s", (_, callback) => {
  expect(() => gateway.parseCallback(callback())).toThrow(UntrustedCallbackError)
})

test.each([
  ["without an event", "{}"],
  ["that is a list", "[]"],
  ["with an empty event id", chargeCallback({ event: { id: "" } })],
  ["without a charge", chargeCallback({ event: { data: null } })],
])("Commerce parseCallback throws a GatewayError for a signed callback %s", (_, text) => {
  expect(() => gateway.parseCallback(commerceCallback(text))).toThrow(GatewayError)
})

test("a Coinbase gateway without Commerce secrets rejects Commerce callbacks", () => {
  for (const commerceSecrets of [undefined, []]) {
    expect(() => openCoinbase({ ...settings, commerceSecrets }).parseCallback(good())).toThrow(
      UntrustedCallbackError,
    )
  }
})

test("Commerce callbacks may be signed with any configured secret, and openCoinbase rejects an empty one", () => {
  const both = openCoinbase({ ...settings, commerceSecrets: ["new-secret", COMMERCE_SECRET] })
  for (const secret of ["new-secret", COMMERCE_SECRET]) {
    expect(both.parseCallback(commerceCallback(chargeCallback(), secret))).toMatchObject({ status: "paid" })
  }
  expect(() => openCoinbase({ ...settings, commerceSecrets: [""] })).toThrow(/COINBASE_COMMERCE_SECRET/)
})

test("Checkouts callbacks are accepted with Commerce secrets configured, but not with an invalid Commerce signature added", () => {
  const at = Date.UTC(2026, 10, 20, 12)
  const callback = coinbaseCallback({ body: checkoutPaid(), at })
  expect(gateway.parseCallback(callback)).toMatchObject({ status: "paid", attemptId: "attempt-7" })
  callback.headers.set("x-cc-webhook-signature", "0".repeat(64))
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("Commerce error messages contain neither the secret nor the signature", () => {
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
