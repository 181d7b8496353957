import { z } from "zod"
import { GatewayError } from "~/gateways/gateway"

/** What the provider says, in its shape: what cannot be read is loud. `speaks` says where it was heard. */
export function readAs<T>(as: z.ZodType<T>, said: unknown, speaks: string): T {
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `cryptomus ${speaks} nonsense: ${z.prettifyError(cause)}`, { cause })
}
