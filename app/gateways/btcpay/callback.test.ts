import { expect, test } from "vitest"
import { GatewayError, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { callbackContract } from "../../../tests/contracts/gateway/callback-contract"
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
  url: BTCPAY_URL,
  store: BTCPAY_STORE,
  key: BTCPAY_KEY,
  webhookSecrets: [BTCPAY_HOOK],
  timeoutMs: 5_000,
  now: () => NOON,
}
const gateway = openBtcpay(settings)
const hint = { paymentId: "FaMxAZJ1RTFhRqFv4SHmNd", attemptId: "attempt-7" }

test("BTCPay-Sig verification accepts GitHub's published test vector", () => {
  // From GitHub's webhook documentation, to which BTCPay's refers.
  const secret = "It's a Secret to Everybody"
  const code = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
  const callback = (signature: string): RawCallback => ({
    headers: new Headers({ "BTCPay-Sig": signature }),
    body: Buffer.from("Hello, World!"),
    at: NOON,
    address: null,
  })
  const other = openBtcpay({ ...settings, webhookSecrets: [secret] })
  // The signature is accepted; only the JSON parser rejects the body.
  expect(() => other.parseCallback(callback(`sha256=${code}`))).toThrow("not JSON")
  expect(() => other.parseCallback(callback(`sha256=${code.toUpperCase()}`))).toThrow("not JSON")
  expect(() => other.parseCallback(callback(`sha256=${code.replace("7", "8")}`))).toThrow("does not match")
})

const good = { body: invoiceSettled(), at: NOON }
const corrupted = (corrupt: (callback: RawCallback) => RawCallback) => corrupt(btcpayCallback(good))
const signed = (callback: RawCallback, corrupt: (signature: string) => string) => ({
  ...callback,
  headers: new Headers({ "btcpay-sig": corrupt(callback.headers.get("btcpay-sig") ?? "") }),
})

callbackContract("BTCPay", {
  gateway,
  body: invoiceSettled(),
  signed: (body, secret = BTCPAY_HOOK) => btcpayCallback({ body, at: NOON, secret }),
  withSignature: (callback, change) => signed(callback, (it) => `sha256=${change(it.slice(7))}`),
  altered: [
    ["event type", "InvoiceSettled", "InvoiceInvalid"],
    ["store id", BTCPAY_STORE, "store-2"],
    ["invoice id", hint.paymentId, "other"],
    ["attempt", "attempt-7", "attempt-8"],
  ],
  signedAt: null,
})

test.each<[string, RawCallback]>([
  ["signed with an empty secret", btcpayCallback({ ...good, secret: "" })],
  ["without a signature", corrupted((it) => ({ ...it, headers: new Headers() }))],
  ["with a signature that is not hexadecimal", corrupted((it) => signed(it, (s) => s.replace(/.$/, "g")))],
  ["with a sha1 signature", corrupted((it) => signed(it, (s) => s.replace("sha256", "sha1")))],
  ["with a signature without algorithm", corrupted((it) => signed(it, (s) => s.replace("sha256=", "")))],
  ["with two signatures", corrupted((it) => signed(it, (s) => `${s},${s}`))],
  [
    "with an added amount",
    corrupted((it) => ({ ...it, body: Buffer.from(invoiceSettled({ amount: "12.50" })) })),
  ],
  [
    "with a valid signature for another store",
    btcpayCallback({ ...good, body: invoiceSettled({ storeId: "store-2" }) }),
  ],
])("BTCPay parseCallback rejects a callback %s", (_, callback) => {
  expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
})

test("BTCPay parseCallback accepts either webhook secret during a rotation", () => {
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
])("BTCPay parseCallback returns only a hint for %s and ignores amounts and status", (type) => {
  const body = invoiceSettled({ type, amount: "1000000.00", status: "Settled", paidAmount: "1000000.00" })
  expect(gateway.parseCallback(btcpayCallback({ ...good, body }))).toEqual(hint)
})

test.each([
  ["about the creation of an invoice", { type: "InvoiceCreated" }],
  ["about a payout", { type: "PayoutApproved", invoiceId: undefined }],
  ["about an invoice of other software", { metadata: { orderId: "31" } }],
  ["about an invoice without metadata", { metadata: undefined }],
  ["of the webhook test", { invoiceId: "__test__1", metadata: null }],
])("BTCPay parseCallback returns null for a callback %s", (_, changes) => {
  const body = invoiceSettled(changes)
  expect(gateway.parseCallback(btcpayCallback({ ...good, body }))).toBeNull()
})

test("BTCPay parseCallback returns the same hint for a replay one day later", () => {
  const again = { ...btcpayCallback(good), at: NOON + 86_400_000 }
  expect(gateway.parseCallback(again)).toEqual(hint)
})

test.each([
  ["without an invoice id", { invoiceId: undefined }],
  ["with a path traversal as invoice id", { invoiceId: "../../users" }],
  ["without an event type", { type: undefined }],
])("BTCPay parseCallback throws a GatewayError for a signed callback %s", (_, changes) => {
  const strange = btcpayCallback({ ...good, body: invoiceSettled(changes) })
  expect(() => gateway.parseCallback(strange)).toThrow(GatewayError)
})
