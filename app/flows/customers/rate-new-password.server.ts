import type { LoggedServices } from "~/context/services.server"
import { isGuessable } from "~/domain/customers/password-strength"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { PoolOverloaded } from "~/security/worker-pool.server"

export type NewPasswordVerdict =
  | { readonly kind: "good" }
  | { readonly kind: "guessable" }
  | { readonly kind: "too-many" | "overloaded"; readonly retryAfterSeconds: number }

/**
 * Checks the strength of a new password. Rating is expensive, so it has a rate limit of its own, apart from sign-ins:
 * several attempts at a good password do not block the sign-in.
 */
export async function rateNewPassword(
  { passwordStrength, rateLimits, log }: Pick<LoggedServices, "passwordStrength" | "rateLimits" | "log">,
  { password, email }: { password: string; email: string },
  who: RateLimitSubject,
): Promise<NewPasswordVerdict> {
  const allowed = await loggedLimit(
    log,
    { limit: "new-password", address: who.address },
    rateLimits.newPassword(who),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  try {
    return { kind: isGuessable(await passwordStrength(password, email)) ? "guessable" : "good" }
  } catch (error) {
    if (!(error instanceof PoolOverloaded)) throw error
    log.warn({ err: error }, "password not rated: overload")
    return { kind: "overloaded", retryAfterSeconds: error.retryAfterSeconds }
  }
}
