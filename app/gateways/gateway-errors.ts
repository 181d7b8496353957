import { z } from "zod"
import { UpstreamError } from "~/http/upstream-error"
import { GatewayError } from "./gateway"

/** Converts an `UpstreamError` of a provider call into a `GatewayError`; other exceptions pass through unchanged. */
export async function withGatewayErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    const refusesKey = cause.status === 401 || cause.status === 403
    // JSON with an unexpected shape stays so on a retry. Anything else (a proxy's error page, a redirect) may be
    // temporary.
    const isOutage = cause.kind === "unreadable" && !(cause.cause instanceof z.ZodError)
    throw new GatewayError(cause.kind, cause.message, {
      cause,
      refusesKey,
      isTransient: refusesKey || isOutage,
      retryAfterSeconds: cause.retryAfterSeconds,
    })
  }
}

/** Members of provider reports that hold a payment's status and amounts. */
const DESCRIPTIVE = [
  "status",
  "eventType",
  "amount",
  "currency",
  "fiatAmount",
  "fiatCurrency",
  "amount_paid",
  "amount_refunded",
  "payment_amount",
  "payer_amount",
  "payer_currency",
]
const MAX_LENGTH = 40

/** Summarizes status and amounts of a signed report for the operator's log. Contains no personal data of the buyer. */
export function summaryOf(report: unknown): string {
  const members = z.record(z.string(), z.unknown()).safeParse(report)
  if (!members.success) return ""
  return DESCRIPTIVE.flatMap((name) => {
    const value = members.data[name]
    const isPlain = typeof value === "string" && /^[\w.:-]+$/.test(value) && value.length <= MAX_LENGTH
    return isPlain ? [`${name} ${value}`] : []
  }).join(", ")
}
