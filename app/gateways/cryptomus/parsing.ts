import { z } from "zod"
import { GatewayError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"
import { attemptOf } from "./invoice"

const Named = z.object({ order_id: z.string().max(128) })

/**
 * Parses a payload of the provider. Throws `GatewayError` (`unreadable`); `speaks` ("callback" or "response") names the
 * source.
 */
export function parseAs<T>(as: z.ZodType<T>, value: unknown, speaks: string): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `Invalid Cryptomus ${speaks} (${summaryOf(value)}): ${z.prettifyError(cause)}`
  const attemptId = attemptOf(Named.safeParse(value).data?.order_id)
  throw new GatewayError("unreadable", message, { cause, attemptId })
}
