import { expect, test } from "vitest"
import { UntrustedCallbackError } from "~/gateways/gateway"
import { bodyCallback, CRYPTOMUS_KEY, cryptomusSign } from "../../../tests/fakes/cryptomus"
import { signatureOf } from "./signature.server"
import { openCryptomusWebhook } from "./webhook.server"

const trust = { paymentKey: CRYPTOMUS_KEY, addresses: null }
const open = (body: string) => openCryptomusWebhook(bodyCallback(body), trust)

const EVENT =
  '{"type":"payment","uuid":"11111111-2222-4333-8444-555555555555","order_id":"inv-77","amount":"12.50","status":"paid","is_final":true,"currency":"EUR","additional_data":"https:\\/\\/example.test\\/a\\/b ñ","txid":null}'
const EVENT_SIGN = "4af5a77812035506c44bc3d632f7ce34"
const PLAIN_SIGN = "ea8ba1f75fb0e3974674b252ea516c09"
const plain = EVENT.replaceAll("\\/", "/")
const escaped = EVENT.replace("ñ", "\\u00f1")
const bare = plain.replace("ñ", "\\u00f1")

test.each([
  ["nothing", "", "54bb2b29c263aec58f6c5d7318d97ae2"],
  [
    "an API request",
    '{"amount":"12.50","currency":"EUR","order_id":"inv-77"}',
    "75057988d8b422ea92b9a4888323b160",
  ],
  ["a webhook", EVENT, EVENT_SIGN],
  ["a webhook with plain slashes", plain, PLAIN_SIGN],
])("signatureOf() matches the reference test vector for %s", (_, text, expected) => {
  expect(signatureOf(text, CRYPTOMUS_KEY)).toBe(expected)
})

const forms = [
  ["in PHP format", EVENT],
  ["with plain slashes", plain],
  ["with escaped non-ASCII letters", escaped],
  ["with both", bare],
] as const

test.each(
  forms.flatMap(([form, text]) => [
    [`${form}, signature last`, text.replace(/}$/, `,"sign":"${EVENT_SIGN}"}`)],
    [`${form}, signature first`, text.replace(/^{/, `{"sign":"${EVENT_SIGN}",`)],
    [`${form}, signature in between`, text.replace(',"status"', `,"sign":"${EVENT_SIGN}","status"`)],
  ]),
)("openCryptomusWebhook accepts a body %s", (_, body) => {
  expect(open(body)).toEqual(JSON.parse(EVENT))
})

test("openCryptomusWebhook rejects a signature over unescaped slashes for a body with escaped slashes", () => {
  const body = EVENT.replace(/}$/, `,"sign":"${PLAIN_SIGN}"}`)
  expect(() => open(body)).toThrow(UntrustedCallbackError)
})

test.each([
  ["numbers in a non-canonical format", '{"rate":0.07700000,"big":12345678901234567890}'],
  ["numeric member names out of order", '{"b":1,"10":2,"9":3}'],
  ["an empty object, which PHP serializes as a list", '{"convert":{},"a":1}'],
  ["spaces and line breaks", '{ "a" : 1,\n "b" : [ ] }'],
  ["braces, commas and quotes in a string", '{"a":"{\\"a\\":1,\\"a\\":2}","b":"a","a b":"[["}'],
  ["the same member name in different objects", '{"a":{"b":1},"b":{"a":1},"c":[{"b":1},{"b":2}]}'],
  ["an empty body object", "{}"],
])("openCryptomusWebhook verifies the signature over the received bytes: %s", (_, signed) => {
  const comma = signed === "{}" ? "" : ","
  const body = signed.replace(/}$/, `${comma}"sign":"${cryptomusSign(signed)}"}`)
  expect(open(body)).toEqual(JSON.parse(signed))
})

test.each([
  ["line separators", { data: "a\u2028b\u2029c" }, '{"data":"a\\u2028b\\u2029c"}'],
  ["control characters", { data: "\u0001\b\f\n\r\t\u001f" }, '{"data":"\\u0001\\b\\f\\n\\r\\t\\u001f"}'],
  ["letters outside ASCII", { data: "ñ€😀" }, '{"data":"ñ€😀"}'],
  ["an empty object and list", { convert: {}, list: [{}] }, '{"convert":[],"list":[[]]}'],
])("openCryptomusWebhook verifies the signature over the PHP serialization: %s", (_, params, php) => {
  const body = JSON.stringify({ ...params, sign: cryptomusSign(php) })
  expect(open(body)).toEqual(JSON.parse(php))
})

test("openCryptomusWebhook rejects an empty object, which PHP signs as a list", () => {
  expect(() => open(`{"sign":"${cryptomusSign("[]")}"}`)).toThrow(UntrustedCallbackError)
})

test("openCryptomusWebhook returns only the signed content", () => {
  const signed = '{"amount":"12.50"}'
  const body = `{"amount":"12.50","sign":"${cryptomusSign(signed)}"}`
  expect(open(body)).toEqual({ amount: "12.50" })
})
