import { z } from "zod"
import { UpstreamError } from "~/http/upstream-error"
import { GatewayError } from "./gateway"

/** The answer of a provider, with every failure as a `GatewayError`. */
export async function withGatewayErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    const refusesKey = cause.status === 401 || cause.status === 403
    // JSON of another shape is what it says; anything else (a proxy's page, a redirect) may be gone the next time.
    const isOutage = cause.kind === "unreadable" && !(cause.cause instanceof z.ZodError)
    throw new GatewayError(cause.kind, cause.message, { cause, refusesKey, mayPass: refusesKey || isOutage })
  }
}

/** What names a payment, its state and its sums in the reports of all providers. */
const DESCRIPTIVE = [
  ...["status", "eventType", "amount", "currency", "fiatAmount", "fiatCurrency"],
  ...["amount_paid", "amount_refunded", "payment_amount", "payer_amount", "payer_currency"],
]
const MAX_LENGTH = 40

/** What a signed report says of sums and states, for the operator who has to find it there; nothing of the buyer. */
export function summaryOf(report: unknown): string {
  const members = z.record(z.string(), z.unknown()).safeParse(report)
  if (!members.success) return ""
  return DESCRIPTIVE.flatMap((name) => {
    const value = members.data[name]
    const isPlain = typeof value === "string" && /^[\w.:-]+$/.test(value) && value.length <= MAX_LENGTH
    return isPlain ? [`${name} ${value}`] : []
  }).join(", ")
}
