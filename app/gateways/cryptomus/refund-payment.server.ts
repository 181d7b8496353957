import { GatewayError, type GatewayRefunds, type RefundReceipt } from "~/gateways/gateway"
import type { InvoiceStatus } from "./status"

type Api = {
  status(paymentId: string): Promise<InvoiceStatus>
  /** Never retried by the client. */
  refund(paymentId: string, address: string): Promise<void>
}

/**
 * Refunds of invoices: all that was received, to an address of the buyer, and the merchant pays the network. The API has no
 * idempotency key, and an invoice is refunded once: its status tells.
 */
export function paymentRefunds(api: Api): GatewayRefunds {
  return {
    needsAddress: true,
    isWholeOnly: true,
    async refund({ paymentId, address }) {
      if (!address) throw new GatewayError("refused", "Cryptomus needs an address of the buyer")
      const known = receiptOf(await api.status(paymentId))
      if (known) return known
      await api.refund(paymentId, address)
      return receiptOf(await api.status(paymentId)) ?? { state: "pending", claimUrl: null }
    },
  }
}

/** Null: no refund has begun. */
function receiptOf(status: InvoiceStatus): RefundReceipt | null {
  if (status === "refund_paid") return { state: "done", claimUrl: null }
  if (status === "refund_process") return { state: "pending", claimUrl: null }
  if (status === "refund_fail") throw new GatewayError("refused", "Cryptomus could not pay the refund")
  return null
}
