import type { Services } from "~/context/services.server"
import type { RateLimitResult, RateLimitSubject } from "~/security/rate-limits.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { findPromotion } from "./quote-choices.server"

/**
 * Rate-limits promo code look-ups. Only unknown codes count towards the limit; an empty code is always allowed.
 */
export async function limitPromoCodes(
  services: Services,
  code: string | undefined,
  who: RateLimitSubject,
): Promise<RateLimitResult> {
  if (!code) return { ok: true }
  const { rateLimits, log } = services
  const allowed = await rateLimits.code(who)
  if (!allowed.ok) {
    log.warn({ limit: "promo-code", address: who.address }, "rate limit exceeded")
    return allowed
  }
  const isGuess = await orPauseOrdering(
    services,
    async () => (await findPromotion(services, code)) === null,
    false,
  )
  if (!isGuess) await rateLimits.rightCode(who)
  return allowed
}
