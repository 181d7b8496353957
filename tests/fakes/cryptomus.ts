import { createHash } from "node:crypto"
import { HttpResponse, http } from "msw"
import type { RawCallback } from "~/gateways/gateway"

export const CRYPTOMUS_URL = "https://cryptomus.test/v1"
export const CRYPTOMUS_MERCHANT = "8b03432e-385b-4670-8d06-064591096795"
export const CRYPTOMUS_KEY = "devPaymentKey0001"

export const INVOICE = "11111111-2222-4333-8444-555555555555"

type InvoiceRequest = { amount: string; currency: string; order_id: string }

/** Returns an invoice as the provider's API does. */
export function cryptomusInvoice(changes: Record<string, unknown> = {}) {
  return {
    uuid: INVOICE,
    order_id: "boxoffice-attempt-7",
    amount: "12.50",
    currency: "EUR",
    payment_amount: null,
    payer_amount: null,
    payer_currency: null,
    discount_percent: 0,
    discount: "0",
    merchant_amount: null,
    network: null,
    address: null,
    from: null,
    txid: null,
    payment_status: "paid",
    url: `https://cryptomus.test/pay/${INVOICE}`,
    expired_at: 1_795_176_000,
    status: "paid",
    is_final: true,
    additional_data: "ORDER7",
    created_at: "2026-11-20T15:00:00+03:00",
    updated_at: "2026-11-20T15:00:00+03:00",
    ...changes,
  }
}

/** Returns an invoice whose coin is chosen and that is not paid yet. */
export function cryptomusBill(changes: Record<string, unknown> = {}) {
  return cryptomusInvoice({
    status: "check",
    payment_status: "check",
    is_final: false,
    payer_currency: "USDT",
    network: "tron",
    payer_amount: "13.41000000",
    address: "TXyzAddressOfNobody",
    ...changes,
  })
}

/** A fault-free Cryptomus. Tests override one handler to simulate a failure. */
export const cryptomusHandlers = [
  http.post(`${CRYPTOMUS_URL}/payment`, async ({ request }) => {
    const { amount, currency, order_id } = (await request.json()) as InvoiceRequest
    const uuid = Buffer.from(order_id).toString("hex")
    const requested = { uuid, amount, currency, order_id }
    return HttpResponse.json({
      state: 0,
      result: cryptomusInvoice({ ...requested, status: "check", is_final: false }),
    })
  }),
  http.post(`${CRYPTOMUS_URL}/payment/info`, async ({ request }) => {
    const { uuid } = (await request.json()) as { uuid: string }
    const order_id = uuid === INVOICE ? "boxoffice-attempt-7" : Buffer.from(uuid, "hex").toString()
    return HttpResponse.json({ state: 0, result: cryptomusInvoice({ uuid, order_id }) })
  }),
  http.post(`${CRYPTOMUS_URL}/payment/services`, () =>
    HttpResponse.json({ state: 0, result: [service("USDT", "TRON"), service("BTC", "BTC")] }),
  ),
]

export function service(currency: string, network: string, changes: Record<string, unknown> = {}) {
  return {
    network,
    currency,
    is_available: true,
    ...changes,
    limit: { min_amount: "1.00000000", max_amount: "100000.00000000" },
    commission: { fee_amount: "0.00", percent: "2.00" },
  }
}

/** Overrides the response of a path from now on, for any request. */
export function cryptomusResponses(path: string, result: unknown) {
  return http.post(`${CRYPTOMUS_URL}/${path}`, () => HttpResponse.json({ state: 0, result }))
}

/** MD5 of base64 and key, as in the provider's PHP library. */
export function cryptomusSign(text: string, key = CRYPTOMUS_KEY): string {
  return createHash("md5")
    .update(`${Buffer.from(text).toString("base64")}${key}`)
    .digest("hex")
}

/** Returns the unsigned content of a callback about a completed payment. */
export function invoicePaid(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "payment",
    uuid: INVOICE,
    order_id: "boxoffice-attempt-7",
    amount: "12.50000000",
    payment_amount: "13.41000000",
    payment_amount_usd: "13.40",
    merchant_amount: "13.14180000",
    commission: "0.26820000",
    is_final: true,
    status: "paid",
    from: "TPayer",
    wallet_address_uuid: null,
    network: "tron",
    currency: "EUR",
    payer_currency: "USDT",
    payer_amount: "13.41000000",
    additional_data: "https://shop.test/ñ",
    txid: "6f0d9c8374db57ca",
    ...changes,
  }
}

/** Serializes JSON as PHP does, with escaped slashes. */
export function phpText(value: unknown): string {
  return JSON.stringify(value).replaceAll("/", "\\/")
}

type Called = { body?: Record<string, unknown>; key?: string; at?: number; address?: string | null }

/** Returns a callback as the provider sends it: `sign` is the last member. */
export function cryptomusCallback({
  body = invoicePaid(),
  key = CRYPTOMUS_KEY,
  at = 0,
  address = null,
}: Called = {}): RawCallback {
  const sign = cryptomusSign(phpText(body), key)
  return bodyCallback(phpText({ ...body, sign }), { at, address })
}

/** Returns a callback with exactly this body. */
export function bodyCallback(body: string | Buffer, { at = 0, address = null }: Called = {}): RawCallback {
  return {
    headers: new Headers({ "content-type": "application/json" }),
    body: Buffer.from(body),
    at,
    address,
  }
}
