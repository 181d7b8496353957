import type { LoggedServices } from "~/context/services.server"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { type FoundPromotion, findPromotion, isRejectedCode } from "./validate-promo-code.server"

/** `promotion`: as it was looked up; undefined without a code, and while the billing backend is unavailable. */
export type PromoCodeAttempt =
  | { readonly ok: true; readonly promotion: FoundPromotion | undefined }
  | { readonly ok: false; readonly retryAfterSeconds: number }

/**
 * Looks a promo code up within the rate limit. Only codes that are unknown or that billing rejects count towards the limit; an empty
 * code is always allowed.
 */
export async function limitPromoCodes(
  services: LoggedServices,
  code: string | undefined,
  who: RateLimitSubject,
): Promise<PromoCodeAttempt> {
  if (!code) return { ok: true, promotion: undefined }
  const { rateLimits, log } = services
  const allowed = await loggedLimit(log, { limit: "promo-code", address: who.address }, rateLimits.code(who))
  if (!allowed.ok) return allowed
  const promotion = await orPauseOrdering(services, () => findPromotion(services, code), undefined)
  if (promotion !== null && !isRejectedCode(promotion)) await rateLimits.rightCode(who)
  return { ok: true, promotion }
}
