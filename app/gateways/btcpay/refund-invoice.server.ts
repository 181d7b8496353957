import { z } from "zod"
import { toDecimal } from "~/domain/money/money"
import { PageUrl } from "~/gateways/fields"
import { GatewayError, type GatewayRefunds, type RefundReceipt } from "~/gateways/gateway"

/** A pull payment: an amount that whoever has its page may claim, at an address of their choice. */
export const PullPayment = z.object({ name: z.string().nullish(), viewLink: PageUrl })
type PullPayment = z.output<typeof PullPayment>

type Api = {
  /** All pull payments of the store, archived ones too. */
  pullPayments(): Promise<readonly PullPayment[]>
  /** Never retried by the client. */
  refund(id: string, body: RefundBody): Promise<PullPayment>
}

export type RefundBody = {
  readonly name: string
  readonly description: string
  readonly refundVariant: "Custom"
  readonly customAmount: string
  readonly customCurrency: string
}

/**
 * Refunds of invoices: the server makes a pull payment, whose page the buyer opens to be paid. The API has no idempotency key,
 * so the pull payment is looked up by its name first.
 */
export function invoiceRefunds(api: Api, origins: readonly string[]): GatewayRefunds {
  function receiptOf({ viewLink }: PullPayment): RefundReceipt {
    if (origins.includes(new URL(viewLink).origin)) return { state: "done", claimUrl: viewLink }
    throw new GatewayError("unreadable", "Invalid BTCPay pull payment: its page is not on the BTCPay server")
  }
  return {
    needsAddress: false,
    isWholeOnly: false,
    async refund({ key, paymentId, amount }) {
      // At most 50 characters.
      const name = `Refund ${key}`
      const known = (await api.pullPayments()).find((it) => it.name === name)
      if (known) return receiptOf(known)
      const made = await api.refund(paymentId, {
        name,
        description: "",
        refundVariant: "Custom",
        customAmount: toDecimal(amount),
        customCurrency: amount.currency,
      })
      return receiptOf(made)
    },
  }
}
