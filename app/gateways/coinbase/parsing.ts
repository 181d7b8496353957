import { z } from "zod"
import { GatewayError, UntrustedCallbackError } from "~/gateways/gateway"
import { summaryOf } from "~/gateways/gateway-errors"

/** Parses the body of a callback as JSON. Throws `UntrustedCallbackError`. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch (cause) {
    throw new UntrustedCallbackError("not JSON", { cause })
  }
}

const Named = z.object({ metadata: z.object({ attempt: z.string().min(1).max(100) }) })

/** The payload is signed, so a mismatch is a `GatewayError` (`unreadable`), not an untrusted callback. */
export function parseAs<T>(as: z.ZodType<T>, value: unknown): T {
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `Invalid Coinbase callback (${summaryOf(value)}): ${z.prettifyError(cause)}`
  throw new GatewayError("unreadable", message, {
    cause,
    attemptId: Named.safeParse(value).data?.metadata.attempt ?? null,
  })
}
