import { HttpResponse, http } from "msw"
import { Webhook } from "standardwebhooks"
import type { RawCallback } from "~/gateways/gateway"

export const OFFSHORE_URL = "https://offshore.test/v1"

/** A webhook secret of 32 bytes, as the gateway issues them. */
export const OFFSHORE_SECRET = "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4="

/** Merchant account of the shop in link mode: that of the reference test vector. */
export const OFFSHORE_LINKS = { merchant: "m_1", secret: "dev-link-secret" }

type InvoiceRequest = { amount: string; currency: string; reference: string; expires_at: string }

/** Returns a payment as this gateway's API does. */
export function offshorePayment(changes: Record<string, unknown> = {}) {
  return {
    id: "pay_attempt-7",
    status: "paid",
    amount: "12.50",
    amount_paid: "12.50",
    currency: "EUR",
    reference: "attempt-7",
    transaction_id: "tx-1",
    ...changes,
  }
}

/** A fault-free gateway. Tests override one handler to simulate a failure. */
export const offshoreHandlers = [
  http.post(`${OFFSHORE_URL}/payments`, async ({ request }) => {
    const { reference, expires_at } = (await request.json()) as InvoiceRequest
    const id = `pay_${reference}`
    return HttpResponse.json(
      { id, url: `https://offshore.test/pay/${id}`, status: "pending", expires_at },
      { status: 201 },
    )
  }),
  http.get(`${OFFSHORE_URL}/payments/:id`, ({ params }) => {
    const id = String(params.id)
    return HttpResponse.json(offshorePayment({ id, reference: id.replace("pay_", "") }))
  }),
]

type Signed = { body: string; at: number; id?: string; secret?: string; signedAt?: number }

/** Returns a callback signed like the gateway's; `at` is its arrival in milliseconds. */
export function offshoreCallback({
  body,
  at,
  id = "msg_1",
  secret = OFFSHORE_SECRET,
  signedAt = at,
}: Signed): RawCallback {
  const headers = new Headers({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(signedAt / 1_000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(signedAt), body),
  })
  return { headers, body: Buffer.from(body), at, address: null }
}

/** Returns the body of a callback about a payment. */
export function paymentUpdated(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: "payment.updated",
    timestamp: "2026-11-20T12:00:00Z",
    data: offshorePayment(changes),
  })
}
