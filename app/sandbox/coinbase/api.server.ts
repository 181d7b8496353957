import { type KeyObject, randomUUID } from "node:crypto"
import { jwtVerify } from "jose"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { fromDecimal, money, plus } from "~/domain/money/money"
import { bodyOf, type Exchange, json, requestJson, type SandboxResponse } from "../http.server"
import { type SandboxPayment, statusAt } from "../payment"
import type { Payments } from "../payments.server"
import { possibleRefunds } from "../refund"
import {
  CreateCheckoutRequest,
  checkoutDetails,
  checkoutJson,
  ListQuery,
  newCheckoutId,
  RefundRequest,
} from "./wire.server"

/** The shop's API key, and secret and URL of its webhook subscription. */
export type SandboxCoinbaseSettings = {
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly hookSecret: string
  readonly callbackUrl: string
}

export type CoinbaseApi = {
  settings: SandboxCoinbaseSettings
  payments: Payments
  payUrl: (id: string) => string
  /** Host of the API, as it appears in the `uris` claim of a token. */
  host: () => string
  shops: readonly string[] | null
  /** Enqueues the callback about a checkout. */
  sendCallback: (payment: SandboxPayment) => void
  now: () => Instant
}

/** Maximum age and validity of a token, in seconds. */
const MAX_TOKEN = 120
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `POST /checkouts`. */
export async function createCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isAuthentic(api, exchange))) return unauthorized
  // Without an idempotency key every request creates a new checkout.
  const key = exchange.request.headers["x-idempotency-key"] ?? randomUUID()
  if (typeof key !== "string" || !UUID.test(key)) return error(400, "X-Idempotency-Key is not a UUID")
  const parsed = CreateCheckoutRequest.safeParse(requestJson(await bodyOf(exchange.request)))
  if (!parsed.success) return error(400, z.prettifyError(parsed.error))
  if (!isKnownShop(api, parsed.data)) return error(400, "redirect URL origin is not allowed")

  return opened(api, key, parsed.data)
}

function opened(api: CoinbaseApi, key: string, request: CreateCheckoutRequest): SandboxResponse {
  const [id, now] = [newCheckoutId(), api.now()]
  const { callbackUrl } = api.settings
  const details = checkoutDetails(request, { callbackUrl, payUrl: api.payUrl(id), now })
  // A repeated request returns its checkout, which may have expired meanwhile.
  if (details.expiresAt <= now && !api.payments.findByKey("coinbase", key)) {
    return error(400, "expiresAt is in the past")
  }
  const rawBody = JSON.stringify(request)
  const result = api.payments.open({ protocol: "coinbase", id, key, rawBody, details })
  if (result.kind === "conflict") return error(409, "this X-Idempotency-Key was used for another checkout")
  return json(201, shown(api, result.payment))
}

/** `GET /checkouts/{id}`. */
export async function showCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isAuthentic(api, exchange))) return unauthorized
  const payment = api.payments.find("coinbase", exchange.params.id ?? "")
  return payment ? json(200, shown(api, payment)) : error(404, "checkout not found")
}

/** `GET /checkouts`: newest first, by pages. */
export async function listCheckouts(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isAuthentic(api, exchange))) return unauthorized
  const { searchParams } = new URL(exchange.request.url ?? "/", "http://sandbox")
  const query = ListQuery.safeParse(Object.fromEntries(searchParams))
  if (!query.success) return error(400, z.prettifyError(query.error))
  const { pageSize, pageToken } = query.data
  const all = api.payments.list("coinbase").map((payment) => shown(api, payment))
  const found = all.filter((checkout) => isListed(checkout, query.data))
  const end = pageToken + pageSize
  const nextPageToken = end < found.length ? String(end) : undefined
  return json(200, { checkouts: found.slice(pageToken, end), nextPageToken })
}

function isListed(
  { createdAt, description, ...checkout }: ReturnType<typeof checkoutJson>,
  { status = checkout.status, startTime, endTime, descriptionQuery }: z.output<typeof ListQuery>,
): boolean {
  const created = Date.parse(createdAt)
  const isInTime =
    created >= Date.parse(startTime ?? "1970-01-01") && created < Date.parse(endTime ?? "9999-12-31")
  return isInTime && checkout.status === status && description.includes(descriptionQuery)
}

/** `POST /checkouts/{id}/refund`: refunds a paid checkout, at most what is left of it; 400 otherwise. */
export async function refundCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isAuthentic(api, exchange))) return unauthorized
  const request = RefundRequest.safeParse(requestJson(await bodyOf(exchange.request)))
  if (!request.success) return error(400, z.prettifyError(request.error))
  const payment = api.payments.find("coinbase", exchange.params.id ?? "")
  if (!payment) return error(404, "checkout not found")
  const key = String(exchange.request.headers["x-idempotency-key"] ?? randomUUID())
  // A repeated request returns the refund that it first made.
  if (payment.details.refunds?.some((it) => it.key === key))
    return json(200, { checkout: shown(api, payment) })
  const done = refund(api, payment, { ...request.data, key })
  if (!done) return error(400, "only what is left of a COMPLETED checkout can be refunded")
  api.sendCallback(done)
  return json(200, { checkout: shown(api, done) })
}

/** Null: the currency is another one, or the amount is more than what is left. */
function refund(
  { payments }: CoinbaseApi,
  payment: SandboxPayment,
  { amount, currency, reason = "", key }: z.output<typeof RefundRequest> & { readonly key: string },
): SandboxPayment | null {
  const { received, refunded } = payment
  if (currency !== "USDC" && currency !== received.currency) return null
  const asked = fromDecimal(amount, received.currency)
  const total = plus(refunded, asked)
  const isPossible = possibleRefunds(payment).length > 0 && total.minor <= received.minor
  const done = isPossible ? payments.refund(payment.id, total, refunded) : null
  return done && payments.noteRefund(done, { key, text: reason, minor: asked.minor })
}

/** `POST /checkouts/{id}/deactivate`: deactivates an active checkout; 400 for any other. */
export async function deactivateCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isAuthentic(api, exchange))) return unauthorized
  const payment = api.payments.find("coinbase", exchange.params.id ?? "")
  if (!payment) return error(404, "checkout not found")
  const isActive = statusAt(payment, api.now()) === "pending"
  const nothing = money(0, payment.details.amount.currency)
  const closed = isActive
    ? api.payments.decide(payment.id, { from: "pending", status: "closed", received: nothing })
    : null
  return closed ? json(200, shown(api, closed)) : error(400, "only an ACTIVE checkout can be deactivated")
}

function shown({ payUrl, now }: CoinbaseApi, payment: SandboxPayment) {
  return checkoutJson(payment, payUrl(payment.id), now())
}

const TokenHeader = z.object({
  kid: z.string(),
  typ: z.literal("JWT"),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
})
const Claims = z
  .object({ uris: z.array(z.string()), iat: z.number(), exp: z.number() })
  .refine(({ iat, exp }) => exp - iat <= MAX_TOKEN)

/** Whether the request has an unexpired JWT that is signed with the shop's key and bound to this method and URL. */
async function isAuthentic({ settings, host, now }: CoinbaseApi, { request }: Exchange): Promise<boolean> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
  const path = (request.url ?? "/").split("?", 1)[0]
  try {
    const { payload, protectedHeader } = await jwtVerify(token, settings.publicKey, {
      issuer: "cdp",
      subject: settings.keyId,
      algorithms: ["ES256", "EdDSA"],
      requiredClaims: ["iat", "nbf", "exp"],
      maxTokenAge: MAX_TOKEN,
      clockTolerance: 5,
      currentDate: new Date(now()),
    })
    const { kid } = TokenHeader.parse(protectedHeader)
    const { uris } = Claims.parse(payload)
    return kid === settings.keyId && uris.includes(`${request.method} ${host()}${path}`)
  } catch {
    return false
  }
}

const unauthorized = error(401, "Unauthorized")

function error(status: number, errorMessage: string): SandboxResponse {
  return json(status, { errorType: status === 401 ? "unauthorized" : "invalid_request", errorMessage })
}

function isKnownShop({ shops }: CoinbaseApi, request: CreateCheckoutRequest): boolean {
  const targets = [request.successRedirectUrl, request.failRedirectUrl]
  return !shops || targets.every((url) => url === undefined || shops.includes(new URL(url).origin))
}
