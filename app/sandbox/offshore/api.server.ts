import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { bodyOf, type Exchange, errorResponse, json, requestJson, type SandboxResponse } from "../http.server"
import type { Payments } from "../payments.server"
import { CreateOffshoreRequest, openedJson, paymentJson, toPaymentDetails } from "./wire.server"

export type OffshoreApi = {
  payments: Payments
  payUrl: (id: string) => string
  /** Origins of the shops that may create payments; null allows any. */
  shops: readonly string[] | null
  now: () => Instant
}

/**
 * `POST /payments`: creates a payment (201). A repeated idempotency key returns it (200), or 422 for a different body.
 */
export async function openPayment(api: OffshoreApi, { request }: Exchange): Promise<SandboxResponse> {
  const key = request.headers["idempotency-key"]
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    return errorResponse(400, "idempotency_key_missing", "Send an Idempotency-Key of 1 to 200 characters.")
  }
  const bytes = await bodyOf(request)
  if (!bytes) return errorResponse(413, "too_large", "The body is larger than 64 kB.")
  const parsed = CreateOffshoreRequest.safeParse(requestJson(bytes))
  if (!parsed.success) return errorResponse(400, "invalid", z.prettifyError(parsed.error))
  if (!isKnownShop(api, parsed.data)) return errorResponse(400, "unknown_shop", "URL origin is not allowed.")
  return opened(api, key, parsed.data)
}

function opened(
  { payments, payUrl, now }: OffshoreApi,
  key: string,
  request: CreateOffshoreRequest,
): SandboxResponse {
  const details = toPaymentDetails(request)
  const result = payments.open({ protocol: "offshore", key, rawBody: JSON.stringify(request), details })
  if (result.kind === "conflict") {
    return errorResponse(422, "idempotency_key_reused", "This Idempotency-Key was used for another payment.")
  }
  const { id } = result.payment
  return json(result.kind === "new" ? 201 : 200, openedJson(result.payment, payUrl(id), now()))
}

/** `GET /payments/{id}`. */
export function showPayment({ payments, now }: OffshoreApi, { params }: Exchange): SandboxResponse {
  const payment = payments.find("offshore", params.id ?? "")
  if (!payment) return errorResponse(404, "unknown_payment", "Payment not found.")
  return json(200, paymentJson(payment, now()))
}

/** Prevents open redirects and SSRF on a public host: all URLs must be at the origin of a known shop. */
function isKnownShop({ shops }: OffshoreApi, request: CreateOffshoreRequest): boolean {
  const targets = [request.return_url, request.cancel_url, request.callback_url]
  return !shops || targets.every((url) => shops.includes(new URL(url).origin))
}
