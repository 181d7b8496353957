import type { LoggedServices, Services } from "~/context/services.server"
import { isErased, normalizeEmail } from "~/domain/customers/email"
import { EMAIL_CORRECTIONS, isEmailCorrectable, type Order } from "~/domain/orders/order"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { mailboxMark } from "~/security/trial-marks.server"

/**
 * `refused`: the e-mail is proven, was corrected too often, or the order is not of a kind that can be moved: support has to correct it.
 */
export type EmailCorrection =
  | { readonly kind: "corrected" | "refused" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

/** The e-mail of the session's order, and whether its buyer may still correct it there. */
export type OrderEmail = { readonly email: string; readonly isCorrectable: boolean }

/**
 * With external billing an order cannot be moved to another customer, so its e-mail is final. One that was erased stays so: its order
 * would come back to a customer.
 */
export function emailOfOrder(
  { hasExternalBilling }: Pick<Services, "hasExternalBilling">,
  order: Order,
): OrderEmail {
  const isFinal = hasExternalBilling || isErased(order.email)
  return { email: order.email, isCorrectable: !isFinal && isEmailCorrectable(order) }
}

type Correction = { readonly orderId: string; readonly email: string; readonly who: RateLimitSubject }

/**
 * Corrects a mistyped e-mail of the session's order. The order moves to the customer of the right one, who is created if
 * unknown; the answer does not tell which. Counts as an order for the rate limits, because it may create a customer.
 */
export async function correctOrderEmail(
  services: LoggedServices,
  { orderId, email, who }: Correction,
): Promise<EmailCorrection> {
  const { billing, rateLimits, shop, log, now } = services
  const order = await billing.order(orderId)
  if (!order || !emailOfOrder(services, order).isCorrectable) return { kind: "refused" }
  const allowed = await loggedLimit(
    log,
    { limit: "order", address: who.address },
    rateLimits.order({ ...who, email: normalizeEmail(email) }),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const corrected = (await billing.timeline(orderId)).filter(({ kind }) => kind === "email-corrected")
  if (corrected.length >= EMAIL_CORRECTIONS) return { kind: "refused" }
  // Before the correction: none leaves a mailbox that could have another trial.
  await services.trials?.claimMailbox({ orderId }, mailboxMark(services.signer, email))
  const isCorrected = await billing.correctEmail(orderId, {
    email,
    locale: order.locale,
    currency: order.total.currency,
    country: shop.defaultCountry,
    address: who.address,
    at: now(),
  })
  if (isCorrected) log.info({ orderId }, "email of an order corrected")
  return { kind: isCorrected ? "corrected" : "refused" }
}
