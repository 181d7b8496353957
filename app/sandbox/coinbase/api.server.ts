import { type KeyObject, randomUUID } from "node:crypto"
import { jwtVerify } from "jose"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { bodyOf, type Exchange, json, type SandboxResponse } from "../http.server"
import { type SandboxPayment, statusAt } from "../payment"
import type { Payments } from "../payments.server"
import { CreateCheckoutRequest, checkoutDetails, checkoutJson, newCheckoutId } from "./wire.server"

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
  now: () => Instant
}

/** Maximum age of a token, in seconds. */
const MAX_TOKEN = 120
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `POST /checkouts`. */
export async function createCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isOurs(api, exchange))) return unauthorized
  // Without an idempotency key every request creates a new checkout.
  const key = exchange.request.headers["x-idempotency-key"] ?? randomUUID()
  if (typeof key !== "string" || !UUID.test(key)) return error(400, "X-Idempotency-Key is not a UUID")
  const parsed = CreateCheckoutRequest.safeParse(parseJson(await bodyOf(exchange.request)))
  if (!parsed.success) return error(400, z.prettifyError(parsed.error))
  if (!isKnownShop(api, parsed.data)) return error(400, "redirect URL origin is not allowed")

  const details = checkoutDetails(parsed.data, api.settings.callbackUrl, api.now())
  const asked = JSON.stringify(parsed.data)
  const opened = api.payments.open({
    protocol: "coinbase",
    id: newCheckoutId(),
    key,
    rawBody: asked,
    details,
  })
  if (opened.kind === "conflict") return error(409, "this X-Idempotency-Key was used for another checkout")
  return json(201, shown(api, opened.payment))
}

/** `GET /checkouts/{id}`. */
export async function showCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isOurs(api, exchange))) return unauthorized
  const payment = api.payments.find("coinbase", exchange.params.id ?? "")
  return payment ? json(200, shown(api, payment)) : error(404, "checkout not found")
}

/** `POST /checkouts/{id}/deactivate`: deactivates an active checkout; 400 for any other. */
export async function deactivateCheckout(api: CoinbaseApi, exchange: Exchange): Promise<SandboxResponse> {
  if (!(await isOurs(api, exchange))) return unauthorized
  const payment = api.payments.find("coinbase", exchange.params.id ?? "")
  if (!payment) return error(404, "checkout not found")
  const isActive = statusAt(payment, api.now()) === "pending"
  const nothing = money(0, payment.details.amount.currency)
  const closed = isActive ? api.payments.decide(payment.id, "closed", nothing) : null
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
const Claims = z.object({ uris: z.array(z.string()) })

/** Whether the request has an unexpired JWT that is signed with the shop's key and bound to this method and URL. */
async function isOurs({ settings, host, now }: CoinbaseApi, { request }: Exchange): Promise<boolean> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
  const path = (request.url ?? "/").split("?", 1)[0]
  try {
    const { payload, protectedHeader } = await jwtVerify(token, settings.publicKey, {
      ...{ issuer: "cdp", subject: settings.keyId, algorithms: ["ES256", "EdDSA"] },
      ...{ requiredClaims: ["iat", "nbf", "exp"], maxTokenAge: MAX_TOKEN, clockTolerance: 5 },
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
  return !shops || targets.every((url) => shops.includes(new URL(url).origin))
}

function parseJson(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString("utf8") ?? "")
  } catch {
    // The schema rejects `undefined` with a message.
    return undefined
  }
}
