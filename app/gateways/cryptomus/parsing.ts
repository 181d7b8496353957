import { z } from "zod"
import { GatewayError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"
import { attemptOf } from "./invoice"

const Named = z.object({ order_id: z.string().max(128) })

/** What the provider says, in its shape: what cannot be read is loud. `speaks` says where it was heard. */
export function parseAs<T>(as: z.ZodType<T>, value: unknown, speaks: string): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `cryptomus ${speaks} nonsense (${summaryOf(value)}): ${z.prettifyError(cause)}`
  const attemptId = attemptOf(Named.safeParse(value).data?.order_id)
  throw new GatewayError("unreadable", message, { cause, attemptId })
}
