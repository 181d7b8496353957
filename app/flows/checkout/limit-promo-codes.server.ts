import type { Services } from "~/context/services.server"
import type { RateLimitResult, RateLimitSubject } from "~/security/rate-limits.server"
import { orPauseOrdering } from "./pause-on-outage.server"

/**
 * Whether a discount code that was typed or brought along may be looked at. Codes that are there cost nothing, so
 * that only who guesses is ever kept waiting; none at all is no try.
 */
export async function limitPromoCodes(
  services: Services,
  code: string | undefined,
  who: RateLimitSubject,
): Promise<RateLimitResult> {
  if (!code) return { ok: true }
  const { rateLimits, billing, log } = services
  const allowed = await rateLimits.code(who)
  if (!allowed.ok) {
    log.warn({ limit: "promo-code", address: who.address }, "rate limit exceeded")
    return allowed
  }
  const isGuess = await orPauseOrdering(services, async () => (await billing.promotion(code)) === null, false)
  if (!isGuess) await rateLimits.rightCode(who)
  return allowed
}
