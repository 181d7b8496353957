import { expect, test } from "vitest"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { callbackContract } from "../../../tests/contracts/gateway/callback-contract"
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
  url: CRYPTOMUS_URL,
  merchant: CRYPTOMUS_MERCHANT,
  paymentKey: CRYPTOMUS_KEY,
  timeoutMs: 5_000,
  now: () => 0,
}
const gateway = openCryptomus(settings)
const genuine = cryptomusCallback()
const text = genuine.body.toString()
const sign = cryptomusSign(phpText(invoicePaid()))
/** The valid callback with changed text. */
const corrupted = (from: string | RegExp, to: string) => bodyCallback(text.replace(from, to))
const signed = (body: string) => body.replace(/}$/, `,"sign":"${cryptomusSign(body)}"}`)

const SIGN = /"sign":"([0-9a-f]*)"/

callbackContract("Cryptomus", {
  gateway,
  body: phpText(invoicePaid()),
  signed: (body, key = CRYPTOMUS_KEY) =>
    bodyCallback(body.replace(/}$/, `,"sign":"${cryptomusSign(body, key)}"}`)),
  withSignature: (callback, change) =>
    bodyCallback(callback.body.toString().replace(SIGN, (_, it) => `"sign":"${change(it)}"`)),
  altered: [
    ["amount", '"amount":"12.50000000"', '"amount":"99.00000000"'],
    ["currency", '"currency":"EUR"', '"currency":"USD"'],
    ["order id", "boxoffice-attempt-7", "boxoffice-attempt-8"],
    ["invoice id", INVOICE, INVOICE.replace("1", "2")],
    ["status", '"status":"paid"', '"status":"paid_over"'],
  ],
  signedAt: null,
})

test.each<[string, RawCallback]>([
  ["signed with another merchant's key", cryptomusCallback({ key: "otherMerchantKey01" })],
  ["without a signature", bodyCallback(phpText(invoicePaid()))],
  ["with an upper-case signature", corrupted(sign, sign.toUpperCase())],
  ["with a number as signature", corrupted(`"${sign}"`, "0")],
  ["with a list of signatures", corrupted(`"${sign}"`, `["${sign}"]`)],
  ["with a nested signature", bodyCallback(`{"a":{"sign":"${sign}"},"type":"payment"}`)],
  ["with an added member", corrupted('{"type"', '{"extra":1,"type"')],
  ["with its members in another order", cryptomusReordered()],
  ["with a duplicate member", corrupted('{"type"', '{"status":"paid","type"')],
  ["with a duplicate member in escaped spelling", corrupted('{"type"', '{"st\\u0061tus":"paid","type"')],
  ["with a duplicate signature", corrupted('{"type"', `{"sign":"${sign}","type"`)],
  ["with a nested duplicate member and a valid signature", bodyCallback(signed('{"a":[{"b":1,"b":2}]}'))],
  [
    "with 30,000 nested lists",
    bodyCallback(`{"sign":"${sign}","a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
  ],
  ["with an invalid UTF-8 sequence inside", bodyCallback(notUtf8())],
  ["that is a list", bodyCallback(`[${text}]`)],
  ["that is a JSON string", bodyCallback(JSON.stringify(text))],
  ["that is null", bodyCallback("null")],
  ["that is form-encoded", bodyCallback(`status=paid&sign=${sign}`)],
])("Cryptomus parseCallback rejects a callback %s", (_, callback) => {
  expect(() => parsedUpdate(gateway, callback)).toThrow(UntrustedCallbackError)
})

test("a Cryptomus callback replayed 90 days later gives the same update with the same eventKey", () => {
  const first = parsedUpdate(gateway, genuine)
  expect(first?.eventKey).toBe(`${INVOICE}:paid:12.50`)
  expect(parsedUpdate(gateway, { ...genuine, at: 90 * 86_400_000 })).toEqual(first)
})

test.each([
  ["a test webhook with an invented order id", invoicePaid({ order_id: "97a75bf8eda5cca41ba9d2e104840fcd" })],
  [
    "a test webhook without a supported currency",
    invoicePaid({ order_id: "test", currency: "TRX", uuid: null }),
  ],
  ["an order of other software", invoicePaid({ order_id: "whmcs_id_77" })],
  ["an order without an id", invoicePaid({ order_id: null })],
  ["a wallet", invoicePaid({ type: "wallet" })],
])("Cryptomus parseCallback returns null for %s", (_, body) => {
  expect(parsedUpdate(gateway, cryptomusCallback({ body }))).toBeNull()
})

test("Cryptomus parseCallback throws an unreadable error for a malformed signed callback", () => {
  const callback = cryptomusCallback({ body: { type: "payment", order_id: "boxoffice-attempt-7" } })
  expect(() => parsedUpdate(gateway, callback)).toThrow(expect.objectContaining({ kind: "unreadable" }))
})

const guarded = openCryptomus({ ...settings, webhookAddresses: ["91.227.144.54", "2001:db8::1"] })

test.each(["91.227.144.54", "::ffff:91.227.144.54", "2001:db8:0:0::1"])(
  "Cryptomus parseCallback with an IP allowlist accepts a callback from %s",
  (address) => {
    expect(parsedUpdate(guarded, cryptomusCallback({ address }))?.status).toBe("paid")
  },
)

test.each(["91.227.144.55", "127.0.0.1", "91.227.144.54.evil.test", "", null])(
  "Cryptomus parseCallback with an IP allowlist rejects a signed callback from %j",
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
