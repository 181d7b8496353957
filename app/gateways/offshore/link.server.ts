import { createHmac } from "node:crypto"
import { SECOND } from "~/domain/calendar"
import { toDecimal } from "~/domain/money"
import type { Gateway, PaymentRequest } from "~/gateways/gateway"

/** Who the shop is at a gateway in link mode, and the key that signs its links. */
export type LinkAccount = { readonly merchant: string; readonly secret: string }

/**
 * Link mode (reference: hosted gateways, section 4): the signed link is the payment, and the gateway hears of it
 * when the buyer follows it. There is no call to ask it, so only its callbacks tell what has become of a payment.
 */
export function byLink(url: string, account: LinkAccount): Pick<Gateway, "startPayment" | "fetchPayment"> {
  if (account.merchant === "") throw new Error("OFFSHORE_MERCHANT is missing")
  if (account.secret === "") throw new Error("OFFSHORE_LINK_SECRET is missing")
  const payPage = `${url.replace(/\/+$/, "")}/pay`
  return {
    startPayment: async (payment) => ({
      paymentId: payment.attemptId,
      url: `${payPage}?${signedQuery(parametersOf(payment, account.merchant), account.secret)}`,
    }),
    fetchPayment: async () => null,
  }
}

/** `cancel_url`, `callback_url` and `expires_at` are our addition to the reference, in the form they have in API mode. */
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
    // When the attempt was begun, and not now: the same attempt has the same link.
    ts: String(Math.floor(payment.startedAt / SECOND)),
  }
}

/** Parameters in the canonical form that is signed, and behind them the lower-case hexadecimal signature. */
export function signedQuery(parameters: Readonly<Record<string, string>>, secret: string): string {
  const canonical = Object.keys(parameters)
    .sort()
    .map((key) => `${escaped(key)}=${escaped(parameters[key] ?? "")}`)
    .join("&")
  return `${canonical}&sig=${createHmac("sha256", secret).update(canonical).digest("hex")}`
}

/** RFC 3986: the language's own function leaves five characters as they are that have to be escaped. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
