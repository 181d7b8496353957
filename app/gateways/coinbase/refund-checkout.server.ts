import { z } from "zod"
import { toDecimal } from "~/domain/money/money"
import { GatewayError, type GatewayRefunds, type RefundReceipt, type RefundRequest } from "~/gateways/gateway"
import { CheckoutName } from "./checkout"

/** A refund in the list of a checkout: its reason has the key of the one that the shop has asked for. */
const ListedRefund = z.object({
  status: z.enum(["PENDING", "COMPLETED", "FAILED"]),
  reason: z.string().nullish(),
})

export const RefundedCheckout = z.object({
  id: CheckoutName,
  refunds: z.array(ListedRefund).max(1_000).nullish(),
})
export type RefundedCheckout = z.output<typeof RefundedCheckout>

type Api = {
  about(id: string): Promise<RefundedCheckout>
  /** Never retried by the client. */
  refund(id: string, body: RefundBody, key: string): Promise<unknown>
}

export type RefundBody = { readonly amount: string; readonly currency: string; readonly reason: string }

/**
 * Refunds of checkouts, in the currency of the price. The documentation does not promise that the idempotency key holds for
 * refunds, so the refund is looked up by its reason before it is asked for, and after it was refused.
 */
export function checkoutRefunds(api: Api): GatewayRefunds {
  return {
    needsAddress: false,
    isWholeOnly: false,
    refund: async (refund) =>
      (await find(api, refund)) ??
      (await ask(api, refund)) ??
      (await find(api, refund)) ?? { state: "pending", claimUrl: null },
  }
}

/** Null: the checkout has no refund of this key. */
async function find(api: Api, { key, paymentId }: RefundRequest): Promise<RefundReceipt | null> {
  const { refunds } = await api.about(paymentId)
  const found = refunds?.findLast(({ reason }) => reason === reasonOf(key))
  if (!found) return null
  if (found.status === "FAILED") throw new GatewayError("refused", "Coinbase could not pay the refund")
  return { state: found.status === "COMPLETED" ? "done" : "pending", claimUrl: null }
}

/** Null: the provider has accepted it. */
async function ask(api: Api, refund: RefundRequest): Promise<RefundReceipt | null> {
  const { key, paymentId, amount } = refund
  const body = { amount: toDecimal(amount), currency: amount.currency, reason: reasonOf(key) }
  try {
    await api.refund(paymentId, body, key)
    return null
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.kind === "refused"
    const made = isRefused ? await find(api, refund) : null
    if (made) return made
    throw error
  }
}

function reasonOf(key: string): string {
  return `Refund ${key}`
}
