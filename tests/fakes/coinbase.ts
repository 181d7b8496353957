import { createHmac } from "node:crypto"
import { HttpResponse, http } from "msw"
import type { RawCallback } from "~/gateways/gateway"

export const COINBASE_URL = "https://coinbase.test/api/v1/checkouts"
export const COINBASE_HOOK = "dev-hook-secret"

/** A throw-away Ed25519 key: its seed and its public key. */
export const COINBASE_KEY = {
  id: "key-1",
  secret: "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==",
}

type InvoiceRequest = { amount: string; currency: string; metadata: Record<string, string> }

/** Returns a checkout as the provider's API does. */
export function coinbaseCheckout(changes: Record<string, unknown> = {}) {
  return {
    id: "68f7a946db0529ea9b6d3a12",
    url: "https://coinbase.test/payment-links/pl_1",
    amount: "13.41",
    currency: "USDC",
    fiatAmount: "12.50",
    fiatCurrency: "EUR",
    network: "base",
    status: "COMPLETED",
    metadata: { attempt: "attempt-7", order: "ORDER7" },
    ...changes,
  }
}

/** Ids of deactivated checkouts. */
const deactivated = new Set<string>()

/** A fault-free Coinbase. Tests override one handler to simulate a failure. */
export const coinbaseHandlers = [
  http.post(COINBASE_URL, async ({ request }) => {
    const { amount, currency, metadata } = (await request.json()) as InvoiceRequest
    const id = Buffer.from(metadata.attempt ?? "").toString("hex")
    const price = { fiatAmount: amount, fiatCurrency: currency }
    return HttpResponse.json(coinbaseCheckout({ id, ...price, metadata, status: "ACTIVE" }), { status: 201 })
  }),
  http.get(`${COINBASE_URL}/:id`, ({ params }) => {
    const id = String(params.id)
    return HttpResponse.json(coinbaseCheckout({ id, ...(deactivated.has(id) && { status: "DEACTIVATED" }) }))
  }),
  http.post(`${COINBASE_URL}/:id/deactivate`, ({ params }) => {
    const id = String(params.id)
    if (deactivated.has(id)) return HttpResponse.json({ errorMessage: "not active" }, { status: 400 })
    deactivated.add(id)
    return HttpResponse.json(coinbaseCheckout({ id, status: "DEACTIVATED" }))
  }),
]

type Signed = { body: string; at: number; secret?: string; signedAt?: number; headers?: string }

/** Returns a callback signed like Hook0's; `at` is its arrival in milliseconds. */
export function coinbaseCallback({
  body,
  at,
  secret = COINBASE_HOOK,
  signedAt = at,
  headers = "x-event-id content-type",
}: Signed): RawCallback {
  const code = (text: string) => createHmac("sha256", secret).update(text).digest("hex")
  const t = String(Math.floor(signedAt / 1_000))
  const v1 = code(`${t}.${headers}.evt_77.application/json.${body}`)
  const signature = `t=${t},v0=${code(`${t}.${body}`)},h=${headers},v1=${v1}`
  return {
    headers: new Headers({
      "x-event-id": "evt_77",
      "content-type": "application/json",
      "x-hook0-signature": signature,
    }),
    body: Buffer.from(body),
    at,
    address: null,
  }
}

/** Returns the body of a callback about a checkout. */
export function checkoutPaid(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({ eventType: "checkout.payment.success", ...coinbaseCheckout(changes) })
}
