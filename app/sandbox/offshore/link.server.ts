import { z } from "zod"
import { DAY, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { currencies, fromDecimal } from "~/domain/money/money"
import { hmacSha256, isOneOf } from "~/security/signature.server"
import type { Exchange, SandboxResponse } from "../http.server"
import type { PaymentDetails } from "../payment"
import { nothingToPay, type PaymentPageContext } from "../payment-page-handler.server"
import { Amount, HttpUrl } from "./wire.server"

/** Account of a shop in link mode. `callbackUrl` is the default for links without `callback_url`. */
export type LinkSettings = {
  readonly merchant: string
  readonly secret: string
  readonly callbackUrl: string
}

export type LinkContext = {
  settings: LinkSettings
  pageContext: PaymentPageContext
  shops: readonly string[] | null
}

/** Maximum age of a link that creates a payment, in milliseconds; an existing payment is found by an older link too. */
const GOOD_FOR = DAY
/** Tolerated clock difference between shop and sandbox, in milliseconds. */
const CLOCKS_APART = 5 * MINUTE

/**
 * Parameters of a signed link (docs/gateways.md, Offshore). The three optional ones are the shop's
 * extension. An unknown parameter is an error of the shop, so the link is rejected with 400.
 */
const LinkRequest = z.strictObject({
  amount: Amount,
  currency: z.enum(currencies),
  invoice: z.string().min(1).max(200),
  merchant: z.string(),
  return_url: HttpUrl,
  cancel_url: HttpUrl.optional(),
  callback_url: HttpUrl.optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  ts: z.string().regex(/^[1-9]\d{0,11}$/),
})
type LinkRequest = z.output<typeof LinkRequest>

/** Handles `/pay?…`: finds or creates the payment of the link and calls `handle`; otherwise returns an error page. */
export function atLink(
  links: LinkContext,
  exchange: Exchange,
  handle: (pageContext: PaymentPageContext, exchange: Exchange) => Promise<SandboxResponse>,
): SandboxResponse | Promise<SandboxResponse> {
  const found = paymentOf(links, (exchange.request.url ?? "").split("?").slice(1).join("?"))
  if (typeof found === "number") {
    const reason = found === 410 ? "isExpired" : "unknown"
    return nothingToPay(links.pageContext, exchange, { status: found, reason })
  }
  return handle(links.pageContext, { ...exchange, params: { id: found.id } })
}

/** Verifies a link and returns the id of its payment, or the HTTP status of the rejection. */
function paymentOf({ settings, pageContext, shops }: LinkContext, query: string): { id: string } | number {
  const { sig, ...parameters } = signedParameters(query)
  if (!isGenuine(sig, parameters, settings.secret)) return 403
  const parsed = LinkRequest.safeParse(parameters)
  if (!parsed.success) return 400
  if (parsed.data.merchant !== settings.merchant) return 403
  const details = toPaymentDetails(parsed.data, settings)
  return isKnownShop(shops, details) ? opened(pageContext, parsed.data, details) : 400
}

function opened(
  { payments, now }: PaymentPageContext,
  { ts, ...requested }: LinkRequest,
  details: PaymentDetails,
) {
  // API idempotency keys cannot contain a space, so the keys of both modes never collide.
  const key = `link ${requested.invoice}`
  const age = now() - Number(ts) * SECOND
  if (age < -CLOCKS_APART) return 400
  if (age > GOOD_FOR + CLOCKS_APART && !payments.findByKey("offshore", key)) return 410
  const result = payments.open({ protocol: "offshore", key, rawBody: JSON.stringify(requested), details })
  return result.kind === "conflict" ? 409 : result.payment
}

function toPaymentDetails(request: LinkRequest, { callbackUrl }: LinkSettings): PaymentDetails {
  const ends: Instant = Number(request.ts) * SECOND + GOOD_FOR
  return {
    amount: fromDecimal(request.amount, request.currency),
    reference: request.invoice,
    returnUrl: request.return_url,
    cancelUrl: request.cancel_url ?? request.return_url,
    callbackUrl: request.callback_url ?? callbackUrl,
    expiresAt: request.expires_at === undefined ? ends : Date.parse(request.expires_at),
    locale: null,
  }
}

function isKnownShop(shops: readonly string[] | null, details: PaymentDetails): boolean {
  const targets = [details.returnUrl, details.cancelUrl, details.callbackUrl]
  return !shops || targets.every((url) => shops.includes(new URL(url).origin))
}

/** Parses the query. A duplicate name makes it ambiguous, so the result is empty and the signature check fails. */
function signedParameters(query: string): Readonly<Record<string, string>> {
  const pairs = [...new URLSearchParams(query)]
  const names = new Set(pairs.map(([name]) => name))
  return names.size === pairs.length ? Object.fromEntries(pairs) : {}
}

function isGenuine(sig = "", parameters: Readonly<Record<string, string>>, secret: string): boolean {
  const canonical = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.map(escaped).join("="))
    .join("&")
  return isOneOf(sig, [hmacSha256(secret, canonical).toString("hex")])
}

/** Percent-encodes per RFC 3986. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
