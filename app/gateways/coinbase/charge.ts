import { z } from "zod"
import { fromDecimal, type Money, money } from "~/domain/money"
import type { PaymentStatus, PaymentUpdate } from "~/domain/payment"
import { ExactDecimal, floorToCents } from "~/gateways/exact-decimal"
import { Price } from "./checkout"

/**
 * Maps a charge's timeline status to the shop's (reference: coinbase, section 1). An unknown status is unreadable.
 * `UNRESOLVED` waits for a merchant, who can no longer resolve it, so the received amount decides.
 */
const statusOf = {
  NEW: "pending",
  SIGNED: "pending",
  PENDING: "processing",
  COMPLETED: "paid",
  RESOLVED: "paid",
  UNRESOLVED: "by-what-has-come",
  EXPIRED: "expired",
  CANCELED: "expired",
  FAILED: "failed",
} as const satisfies Record<string, PaymentStatus | "by-what-has-come">

type ChargeStatus = keyof typeof statusOf
const Status = z.enum(Object.keys(statusOf) as [ChargeStatus, ...ChargeStatus[]])

const WireCharge = z.object({
  /** The last entry is the current status. */
  timeline: z.array(z.object({ status: z.string() })).min(1),
  pricing: z.object({ local: Price }),
  payments: z
    .array(z.object({ status: z.string() }).loose())
    .max(100)
    .default([]),
})

/** A confirmed payment; `local` is its value in the currency of the price. */
const Confirmed = z.object({
  transaction_id: z.string().max(200).nullish(),
  value: z.object({ local: z.object({ amount: ExactDecimal, currency: z.string() }) }),
})

export type CommerceCharge = Pick<PaymentUpdate, "status" | "received" | "transactionId">

/** Parses a charge of the former Commerce API. The received amount is the sum of the confirmed payments. */
export const commerceCharge = WireCharge.transform(
  ({ timeline, pricing, payments }, context): CommerceCharge => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message })
      return z.NEVER
    }
    const word = Status.safeParse(timeline.at(-1)?.status)
    if (!word.success) return refuse("has an unknown status")
    const confirmed = z
      .array(Confirmed)
      .safeParse(payments.filter(({ status }) => status.toLowerCase() === "confirmed"))
    if (!confirmed.success) return refuse(`has an invalid payment: ${z.prettifyError(confirmed.error)}`)
    const price = fromDecimal(pricing.local.amount, pricing.local.currency)
    const received = sumOf(confirmed.data, price)
    if (!received) return refuse("has a payment in a currency other than the price's")

    const status = settled(statusOf[word.data], received, price)
    if (status === "paid" && received.minor === 0) return refuse("is paid without a confirmed payment")
    return { status, received, transactionId: confirmed.data[0]?.transaction_id ?? null }
  },
)

function sumOf(confirmed: readonly z.output<typeof Confirmed>[], { currency }: Money): Money | null {
  const values = confirmed.map(({ value }) => value.local)
  if (values.some((it) => it.currency !== currency)) return null
  return money(floorToCents(values.reduce((sum, { amount }) => sum + amount, 0n)), currency)
}

function settled(status: (typeof statusOf)[ChargeStatus], received: Money, price: Money): PaymentStatus {
  if (status !== "by-what-has-come") return status
  if (received.minor >= price.minor) return "paid"
  return received.minor > 0 ? "partially-paid" : "processing"
}
