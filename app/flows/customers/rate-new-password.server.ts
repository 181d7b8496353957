import type { Services } from "~/context/services.server"
import { isGuessable } from "~/domain/password-strength"
import type { RateLimitSubject } from "~/security/rate-limits.server"
import { PoolOverloaded } from "~/security/worker-pool.server"

export type NewPasswordVerdict =
  | { readonly kind: "good" }
  | { readonly kind: "guessable" }
  | { readonly kind: "too-many" | "overloaded"; readonly retryAfterSeconds: number }

/**
 * Whether a new password is hard enough to guess. Rating one is expensive, so it has a limit of its own: somebody who
 * needs a few attempts to find a good password can still sign in with it afterwards.
 */
export async function rateNewPassword(
  { passwordStrength, rateLimits, log }: Services,
  { password, email }: { password: string; email: string },
  who: RateLimitSubject,
): Promise<NewPasswordVerdict> {
  const allowed = await rateLimits.newPassword(who)
  if (!allowed.ok) {
    log.warn({ limit: "new-password", address: who.address }, "rate limit exceeded")
    return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  }
  try {
    return { kind: isGuessable(await passwordStrength(password, email)) ? "guessable" : "good" }
  } catch (error) {
    if (!(error instanceof PoolOverloaded)) throw error
    log.warn({ err: error }, "password not rated: overload")
    return { kind: "overloaded", retryAfterSeconds: error.retryAfterSeconds }
  }
}
