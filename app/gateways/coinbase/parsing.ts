import { z } from "zod"
import { GatewayError, UntrustedCallback } from "~/gateways/gateway"

/** What stands in a callback. Throws `UntrustedCallback`. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallback("not JSON", { cause })
  }
}

/** Signed, so it is the provider that speaks: what cannot be read is loud, and it sends it again. */
export function shaped<T>(as: z.ZodType<T>, said: unknown): T {
  const parsed = as.safeParse(said)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new GatewayError("unreadable", `coinbase calls back with nonsense: ${z.prettifyError(cause)}`, {
    cause,
  })
}
