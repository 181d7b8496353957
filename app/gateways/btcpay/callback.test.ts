import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  BTCPAY_HOOK,
  BTCPAY_KEY,
  BTCPAY_STORE,
  BTCPAY_URL,
  btcpayCallback,
  invoiceSettled,
} from "../../../tests/fakes/btcpay"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openBtcpay } from "./btcpay.server"

interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  ...{ url: BTCPAY_URL, store: BTCPAY_STORE, key: BTCPAY_KEY, webhookSecrets: [BTCPAY_HOOK] },
  ...{ timeoutMs: 5_000, now: () => NOON },
}
const gateway = openBtcpay(settings)
const hint = { paymentId: "FaMxAZJ1RTFhRqFv4SHmNd", attemptId: "attempt-7" }

test("the check value of the scheme that BTCPay has taken over", () => {
  // From the page of GitHub's to which BTCPay's own refers.
  const secret = "It's a Secret to Everybody"
  const code = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
  const callback = (signature: string): RawCallback => ({
    ...{ headers: new Headers({ "BTCPay-Sig": signature }), body: Buffer.from("Hello, World!"), at: NOON },
    address: null,
  })
  const other = openBtcpay({ ...settings, webhookSecrets: [secret] })
  // Believed, and only then found to be no JSON.
  expect(() => other.parseCallback(callback(`sha256=${code}`))).toThrow("not JSON")
  expect(() => other.parseCallback(callback(`sha256=${code.toUpperCase()}`))).toThrow("not JSON")
  expect(() => other.parseCallback(callback(`sha256=${code.replace("7", "8")}`))).toThrow("does not match")
})

const good = { body: invoiceSettled(), at: NOON }
const spoilt = (spoil: (callback: RawCallback) => RawCallback) => spoil(btcpayCallback(good))
const other = (changes: Record<string, unknown>) =>
  spoilt((it) => ({ ...it, body: Buffer.from(invoiceSettled(changes)) }))
const signed = (spoil: (signature: string) => string) =>
  spoilt((it) => ({
    ...it,
    headers: new Headers({ "btcpay-sig": spoil(it.headers.get("btcpay-sig") ?? "") }),
  }))
const doubled = `{"invoiceId":"other",${invoiceSettled().slice(1)}`

test.each<[string, RawCallback]>([
  ["signed by somebody else", btcpayCallback({ ...good, secret: "somebody-else" })],
  ["signed with nothing", btcpayCallback({ ...good, secret: "" })],
  ["without a signature", spoilt((it) => ({ ...it, headers: new Headers() }))],
  ["with an empty signature", signed(() => "")],
  ["with half a code", signed((it) => it.slice(0, -2))],
  ["with a code and a half", signed((it) => `${it}00`)],
  ["with a code that is not hexadecimal", signed((it) => it.replace(/.$/, "g"))],
  ["with a code of another kind", signed((it) => it.replace("sha256", "sha1"))],
  ["with a code of no kind", signed((it) => it.replace("sha256=", ""))],
  ["with two codes", signed((it) => `${it},${it}`)],
  ["with an amount put in", other({ amount: "12.50" })],
  ["with a currency put in", other({ currency: "USD" })],
  ["of another kind of event", other({ type: "InvoiceInvalid" })],
  ["from another store", other({ storeId: "store-2" })],
  ["about another invoice", other({ invoiceId: "other" })],
  ["for another attempt", other({ metadata: { attemptId: "attempt-8" } })],
  ["cut off", spoilt((it) => ({ ...it, body: it.body.subarray(0, 40) }))],
  ["with a member twice", spoilt((it) => ({ ...it, body: Buffer.from(doubled) }))],
  ["that is not UTF-8", spoilt((it) => ({ ...it, body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }))],
  ["without anything in it", spoilt((it) => ({ ...it, body: Buffer.alloc(0) }))],
  ["with a byte more", spoilt((it) => ({ ...it, body: Buffer.concat([it.body, Buffer.from(" ")]) }))],
  ["of a megabyte", spoilt((it) => ({ ...it, body: Buffer.alloc(1024 * 1024) }))],
  ["of a megabyte that is signed", btcpayCallback({ ...good, body: invoiceSettled().padEnd(1024 * 1024) })],
  ["that the provider signed and that is no JSON", btcpayCallback({ ...good, body: "paid" })],
  [
    "that the provider signed for another store",
    btcpayCallback({ ...good, body: invoiceSettled({ storeId: "store-2" }) }),
  ],
])("a callback %s is refused", (_, callback) => {
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("during rotation callbacks signed with either secret are accepted", () => {
  const rotating = openBtcpay({ ...settings, webhookSecrets: ["new-secret", BTCPAY_HOOK] })
  for (const secret of ["new-secret", BTCPAY_HOOK]) {
    expect(rotating.parseCallback(btcpayCallback({ ...good, secret }))).toEqual(hint)
  }
})

test.each([
  "InvoiceReceivedPayment",
  "InvoicePaymentSettled",
  "InvoiceProcessing",
  "InvoiceExpired",
  "InvoiceSettled",
  "InvoiceInvalid",
])("%s only says which payment to ask about, whatever else stands in it", (type) => {
  const body = invoiceSettled({ type, amount: "1000000.00", status: "Settled", paidAmount: "1000000.00" })
  expect(gateway.parseCallback(btcpayCallback({ ...good, body }))).toEqual(hint)
})

test.each([
  ["of an invoice that has just been opened", { type: "InvoiceCreated" }],
  ["of a payout", { type: "PayoutApproved", invoiceId: undefined }],
  ["of an invoice of somebody else's making", { metadata: { orderId: "31" } }],
  ["of an invoice without a word about it", { metadata: undefined }],
  ["that only tries the webhook out", { invoiceId: "__test__1", metadata: null }],
])("a callback %s is no news of ours", (_, changes) => {
  const body = invoiceSettled(changes)
  expect(gateway.parseCallback(btcpayCallback({ ...good, body }))).toBeNull()
})

test("a callback sent again, even much later, is the same hint and nothing more", () => {
  const again = { ...btcpayCallback(good), at: NOON + 86_400_000 }
  expect(gateway.parseCallback(again)).toEqual(hint)
})

test.each([
  ["that names no invoice", { invoiceId: undefined }],
  ["whose invoice would lead elsewhere", { invoiceId: "../../users" }],
  ["of no kind", { type: undefined }],
])("a callback %s, though signed, is loud", (_, changes) => {
  const strange = btcpayCallback({ ...good, body: invoiceSettled(changes) })
  expect(() => gateway.parseCallback(strange)).toThrow(GatewayError)
})
