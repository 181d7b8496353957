import { createHmac } from "node:crypto"
import type { RawCallback } from "~/gateways/gateway"

export const COMMERCE_SECRET = "dev-shared-secret-1"

type Changes = { charge?: Record<string, unknown>; event?: Record<string, unknown> }

/** Returns a payment of a charge, confirmed by default. */
export function chargePayment(amount: string, changes: Record<string, unknown> = {}) {
  return {
    ...{ network: "ethereum", transaction_id: "0xe02f", status: "CONFIRMED" },
    value: { local: { amount, currency: "EUR" }, crypto: { amount: "0.0041", currency: "ETH" } },
    ...changes,
  }
}

/** Returns the last timeline entry of a charge. */
export function standing(status: string, context?: string) {
  const last = { time: "2026-03-30T10:20:00Z", status, ...(context && { context }) }
  return { timeline: [{ time: "2026-03-30T10:00:00Z", status: "NEW" }, last] }
}

/** Returns the body of a Commerce callback: by default about a charge that is paid in full. */
export function chargeCallback({ charge, event }: Changes = {}): string {
  const data = {
    ...{ id: "2aee9dd1-67b8-43ef-8dfe-977959850f27", code: "XA6G6ZFR", pricing_type: "fixed_price" },
    pricing: {
      local: { amount: "12.50", currency: "EUR" },
      settlement: { amount: "13.41", currency: "USDC" },
    },
    metadata: { clientid: "5", invoiceid: "attempt-7", source: "whmcs" },
    payments: [chargePayment("12.5")],
    ...standing("COMPLETED"),
    ...charge,
  }
  const described = { id: "e1", resource: "event", type: "charge:confirmed", api_version: "2018-03-22" }
  return JSON.stringify({ id: "a1", attempt_number: 1, event: { ...described, data, ...event } })
}

/** Returns a callback signed like Commerce's: over the body's bytes, without a timestamp. */
export function commerceCallback(body: string | Buffer, secret = COMMERCE_SECRET): RawCallback {
  const bytes = Buffer.from(body)
  const signature = createHmac("sha256", secret).update(bytes).digest("hex")
  return {
    headers: new Headers({ "content-type": "application/json", "x-cc-webhook-signature": signature }),
    body: bytes,
    address: null,
    at: Date.UTC(2026, 10, 20, 12),
  }
}
