import { BillingError, CustomerRejectedError, PromotionRefusedError } from "~/billing/billing"
import type { RejectionReason } from "~/context/request.server"
import type { LoggedServices } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import { bearerIn, isKnownCaller, parseParams } from "./api-request.server"
import { calls, isCallName } from "./contract/endpoints"
import { type ErrorCode, errorCodes, toErrorCode } from "./contract/error-codes"
import { ApiError } from "./handlers/api-error"
import { handlers } from "./handlers/handlers.server"

export type ApiRequest = {
  readonly services: LoggedServices
  readonly request: Request
  readonly url: URL
  /** Call name from the URL path. */
  readonly name: string | undefined
  readonly address: string | null
  /** Why the server rejected the request; null if it did not. */
  readonly rejection: RejectionReason | null
}

/**
 * Handles a request to the billing API we serve. Responds with JSON; errors have the shape `ErrorResponse` and reveal
 * no internals.
 */
export async function handleApiRequest(apiRequest: ApiRequest): Promise<Response> {
  try {
    return Response.json(await handle(apiRequest), { headers: unstored })
  } catch (error) {
    const rejection = rejectionOf(error)
    const level = levels[rejection.code]
    if (level) apiRequest.services.log[level]({ err: error, endpoint: apiRequest.name }, "API request failed")
    return errorResponse(rejection, apiRequest.name)
  }
}

const unstored = { "cache-control": "no-store" } as const

async function handle(apiRequest: ApiRequest): Promise<unknown> {
  await admit(apiRequest)
  const { services, name, request, rejection } = apiRequest
  if (!isCallName(name)) throw new ApiError("unknown-endpoint", "Unknown endpoint")
  const { method, owned } = calls[name]
  if (rejection === "method-not-allowed" || request.method !== method)
    throw new ApiError("method-not-allowed", `Method not allowed, use ${method}`)
  const customerId = await bearerIn(services, request)
  if (owned && customerId === null) throw tokenRequired(request)
  return handlers[name]({ services, customerId }, await parseParams(apiRequest))
}

function tokenRequired({ headers }: Request): ApiError {
  const problem = headers.has("authorization") ? "invalid or expired" : "required"
  return new ApiError("token-required", `Customer token is ${problem}`)
}

/**
 * Requires a valid API key and applies the rate limits: one for calls, a stricter one for wrong keys. Throws
 * `ApiError`: 401, 429 with Retry-After, or the server's rejection.
 */
async function admit({ services, request, address, rejection }: ApiRequest): Promise<void> {
  const { rateLimits, log } = services
  const isKnown = isKnownCaller(services, request)
  const allowed = await (isKnown ? rateLimits.apiCall(address) : rateLimits.wrongKey(address))
  if (!allowed.ok) throw new ApiError("rate-limited", "Rate limit exceeded", allowed.retryAfterSeconds)
  if (!isKnown) {
    log.warn({ address }, "API key rejected")
    throw new ApiError("invalid-api-key", "Missing or invalid x-api-key")
  }
  if (rejection === "too-large") throw new ApiError("bad-request", "Request body is too large")
  if (rejection === "forbidden-origin")
    throw new ApiError("forbidden-origin", "Requests from this origin are not allowed")
}

/** Log levels of the errors that the operator must see. */
const levels: Partial<Record<ErrorCode, "warn" | "error">> = {
  refused: "warn",
  "customer-rejected": "warn",
  unexpected: "error",
  "bad-upstream-response": "error",
  unavailable: "error",
}

/** Maps an error to an `ApiError`. Error messages of upstreams go to the log only. */
function rejectionOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ProvisioningError) {
    const wait = error.retryAfterMs > 0 ? Math.ceil(error.retryAfterMs / SECOND) : null
    return new ApiError("unavailable", "Panel unavailable", wait)
  }
  if (error instanceof CustomerRejectedError)
    return new ApiError("customer-rejected", "Customer cannot order")
  if (error instanceof PromotionRefusedError) return promoCodeRefusal(error)
  if (error instanceof BillingError || error instanceof GatewayError) {
    const { kind, retryAfterSeconds } = error
    return new ApiError(toErrorCode(kind), upstreamErrors[kind], retryAfterSeconds)
  }
  return new ApiError("unexpected", "Unexpected server error")
}

function promoCodeRefusal({ reason }: PromotionRefusedError): ApiError {
  return reason === "used-by-person"
    ? new ApiError("promo-code-used", "Promo code was used by this customer as often as one person may")
    : new ApiError("promo-code-refused", "Promo code cannot be used for this order")
}

const upstreamErrors: Record<BillingError["kind"], string> = {
  refused: "Upstream rejected the request",
  unavailable: "Upstream unavailable",
  unreadable: "Upstream sent an invalid response",
}

/** The response to a rejected request; `name`: the call, for the `Allow` header. */
export function errorResponse(
  { code, message, retryAfterSeconds }: ApiError,
  name: string | undefined,
): Response {
  const headers = new Headers(unstored)
  if (code === "method-not-allowed" && isCallName(name)) headers.set("allow", calls[name].method)
  if (retryAfterSeconds !== null) headers.set("retry-after", String(retryAfterSeconds))
  if (errorCodes[code] === errorCodes["token-required"]) headers.set("www-authenticate", "Bearer")
  return Response.json({ result: "error", error: { code, message } }, { status: errorCodes[code], headers })
}
