import { SECOND } from "~/domain/calendar"
import { toDecimal } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import type { GatewayForm } from "~/gateways/gateway-form"
import { hmacSha256 } from "~/security/signature.server"

/** The shop's merchant id in link mode, and the key that signs its links. */
export type LinkSettings = { readonly merchant: string; readonly secret: string }

/**
 * Link mode (docs/gateways.md, Offshore): a signed URL creates the payment when the buyer opens it. The
 * gateway cannot be polled in this mode; it reports by callback only. Throws when the merchant or the secret is
 * missing.
 */
export function byLink(url: string, settings: LinkSettings): Pick<GatewayForm<unknown>, "open" | "poll"> {
  if (settings.merchant === "") throw new Error("OFFSHORE_MERCHANT is required")
  if (settings.secret === "") throw new Error("OFFSHORE_LINK_SECRET is required")
  const payPage = `${url.replace(/\/+$/, "")}/pay`
  return {
    open: async (payment) => ({
      paymentId: payment.attemptId,
      url: `${payPage}?${signedQuery(parametersOf(payment, settings.merchant), settings.secret)}`,
    }),
    poll: null,
  }
}

/** `cancel_url`, `callback_url` and `expires_at` extend the reference, with the format they have in API mode. */
function parametersOf({ amount, ...payment }: PaymentRequest, merchant: string): Record<string, string> {
  return {
    amount: toDecimal(amount),
    currency: amount.currency,
    invoice: payment.attemptId,
    merchant,
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    callback_url: payment.callbackUrl,
    expires_at: new Date(payment.expiresAt).toISOString(),
    // The attempt's start, not the current time, so that the link of an attempt never changes.
    ts: String(Math.floor(payment.startedAt / SECOND)),
  }
}

/** Serializes parameters sorted by name and appends `sig`, their lower-case hexadecimal HMAC-SHA256. */
export function signedQuery(parameters: Readonly<Record<string, string>>, secret: string): string {
  const canonical = Object.keys(parameters)
    .sort()
    .map((key) => `${escaped(key)}=${escaped(parameters[key] ?? "")}`)
    .join("&")
  return `${canonical}&sig=${hmacSha256(secret, canonical).toString("hex")}`
}

/** Percent-encodes per RFC 3986; `encodeURIComponent` leaves five reserved characters unescaped. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
