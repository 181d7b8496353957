import { expect, test } from "vitest"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  bodyCallback,
  CRYPTOMUS_KEY,
  CRYPTOMUS_MERCHANT,
  CRYPTOMUS_URL,
  cryptomusCallback,
  cryptomusSign,
  INVOICE,
  invoicePaid,
  phpText,
} from "../../../tests/fakes/cryptomus"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCryptomus } from "./cryptomus.server"

interceptUpstreams()

const settings = {
  ...{ url: CRYPTOMUS_URL, merchant: CRYPTOMUS_MERCHANT, paymentKey: CRYPTOMUS_KEY },
  ...{ timeoutMs: 5_000, now: () => 0 },
}
const gateway = openCryptomus(settings)
const genuine = cryptomusCallback()
const text = genuine.body.toString()
const sign = cryptomusSign(phpText(invoicePaid()))
/** The genuine callback with its text spoilt. */
const spoilt = (from: string | RegExp, to: string) => bodyCallback(text.replace(from, to))
const signed = (body: string) => body.replace(/}$/, `,"sign":"${cryptomusSign(body)}"}`)

test.each<[string, RawCallback]>([
  ["signed by somebody else", cryptomusCallback({ key: "somebody-else" })],
  ["signed with the key of another merchant", cryptomusCallback({ key: "otherMerchantKey01" })],
  ["without a signature", bodyCallback(phpText(invoicePaid()))],
  ["with an empty signature", spoilt(sign, "")],
  ["with half a signature", spoilt(sign, sign.slice(0, 16))],
  ["with a longer signature", spoilt(sign, `${sign}00`)],
  ["with a signature in capitals", spoilt(sign, sign.toUpperCase())],
  ["with a signature that is no text", spoilt(`"${sign}"`, "0")],
  ["with a list of signatures", spoilt(`"${sign}"`, `["${sign}"]`)],
  ["whose signature is deeper inside", bodyCallback(`{"a":{"sign":"${sign}"},"type":"payment"}`)],
  ["with another amount", spoilt('"amount":"12.50000000"', '"amount":"99.00000000"')],
  ["with another currency", spoilt('"currency":"EUR"', '"currency":"USD"')],
  ["for another order", spoilt("boxoffice-attempt-7", "boxoffice-attempt-8")],
  ["about another invoice", spoilt(INVOICE, INVOICE.replace("1", "2"))],
  ["with another status", spoilt('"status":"paid"', '"status":"paid_over"')],
  ["with a member more", spoilt('{"type"', '{"extra":1,"type"')],
  ["with its members in another order", cryptomusReordered()],
  ["with a member twice", spoilt('{"type"', '{"status":"paid","type"')],
  ["with a member twice, spelt differently", spoilt('{"type"', '{"st\\u0061tus":"paid","type"')],
  ["with its signature twice", spoilt('{"type"', `{"sign":"${sign}","type"`)],
  ["with a member twice, though signed", bodyCallback(signed('{"type":"payment","type":"wallet"}'))],
  ["with a member twice deeper inside, though signed", bodyCallback(signed('{"a":[{"b":1,"b":2}]}'))],
  ["as deep as a well", bodyCallback(`{"sign":"${sign}","a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)],
  ["cut off", bodyCallback(text.slice(0, -1))],
  ["cut off in its middle", bodyCallback(text.slice(0, 40))],
  ["with a byte more", bodyCallback(`${text}x`)],
  ["with a mark at its beginning", bodyCallback(`\ufeff${text}`)],
  ["that is empty", bodyCallback("")],
  ["that is not UTF-8", bodyCallback(Buffer.concat([Buffer.from([0xff]), genuine.body]))],
  ["with bytes inside that are not UTF-8", bodyCallback(notUtf8())],
  ["of a megabyte", bodyCallback(Buffer.alloc(1024 * 1024, " "))],
  ["of more than 64 kB, though signed", cryptomusCallback({ body: { type: "x".repeat(65_536) } })],
  ["that is a list", bodyCallback(`[${text}]`)],
  ["that is a text", bodyCallback(JSON.stringify(text))],
  ["that is null", bodyCallback("null")],
  ["that is a form", bodyCallback(`status=paid&sign=${sign}`)],
])("a callback %s is refused and nothing of it is read", (_, callback) => {
  expect(() => parsedUpdate(gateway, callback)).toThrow(UntrustedCallbackError)
})

test("a callback that is replayed, however much later, is the same piece of news and books nothing twice", () => {
  const first = parsedUpdate(gateway, genuine)
  expect(first?.eventKey).toBe(`${INVOICE}:paid:12.50`)
  expect(parsedUpdate(gateway, { ...genuine, at: 90 * 86_400_000 })).toEqual(first)
})

test.each([
  ["a test webhook that makes up an order", invoicePaid({ order_id: "97a75bf8eda5cca41ba9d2e104840fcd" })],
  ["a test webhook without a price of ours", invoicePaid({ order_id: "test", currency: "TRX", uuid: null })],
  ["an order of other software", invoicePaid({ order_id: "whmcs_id_77" })],
  ["an order without a name", invoicePaid({ order_id: null })],
  ["a wallet", invoicePaid({ type: "wallet" })],
])("%s is believed, and is no news", (_, body) => {
  expect(parsedUpdate(gateway, cryptomusCallback({ body }))).toBeNull()
})

test("what the provider signs and nobody can read is loud", () => {
  const callback = cryptomusCallback({ body: { type: "payment", order_id: "boxoffice-attempt-7" } })
  expect(() => parsedUpdate(gateway, callback)).toThrow(expect.objectContaining({ kind: "unreadable" }))
})

const guarded = openCryptomus({ ...settings, webhookAddresses: ["91.227.144.54", "2001:db8::1"] })

test.each(["91.227.144.54", "::ffff:91.227.144.54", "2001:db8:0:0::1"])(
  "where the operator has listed addresses, a callback from %s is taken",
  (address) => {
    expect(parsedUpdate(guarded, cryptomusCallback({ address }))?.status).toBe("paid")
  },
)

test.each(["91.227.144.55", "127.0.0.1", "91.227.144.54.evil.test", "", null])(
  "where the operator has listed addresses, one from %j is refused, rightly signed or not",
  (address) => {
    expect(() => parsedUpdate(guarded, cryptomusCallback({ address }))).toThrow(UntrustedCallbackError)
  },
)

function cryptomusReordered(): RawCallback {
  const { type, ...others } = invoicePaid()
  return bodyCallback(phpText({ ...others, type, sign }))
}

function notUtf8(): Buffer {
  const body = Buffer.from(text)
  body[text.indexOf("TPayer")] = 0xc3
  return body
}
