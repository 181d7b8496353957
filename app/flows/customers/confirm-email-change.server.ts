import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { EMAIL_CODE_PERIOD, type EmailChange } from "~/domain/customers/email-change"
import { CODE_TRIES } from "~/domain/customers/sign-in-request"
import { isEmailChangeCode } from "~/security/email-change-codes.server"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { mailboxMark } from "~/security/trial-marks.server"
import { mayChangeEmail, type ProvenCustomer } from "./request-email-change.server"

export type ConfirmedEmailChange =
  /** All sessions have ended; the one that asks is valid again from `at`. */
  | { readonly kind: "changed"; readonly email: string; readonly at: Instant }
  | { readonly kind: "not-permitted" }
  | { readonly kind: "wrong" }
  /** No code works any more: expired, used up, stopped, or the address has become another customer's. */
  | { readonly kind: "ended" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type TypedCode = ProvenCustomer & {
  /** Six digits. */
  readonly code: string
  readonly who: RateLimitSubject
}

/** Changes the e-mail of a signed-in customer by the code that went to the new address. */
export async function confirmEmailChange(
  services: LoggedServices,
  { code, who, ...session }: TypedCode,
): Promise<ConfirmedEmailChange> {
  const { emailChanges, rateLimits, signer, now, log } = services
  if (emailChanges === null || !mayChangeEmail(services, session)) return { kind: "not-permitted" }
  const allowed = await loggedLimit(
    log,
    { limit: "sign-in-code", address: who.address },
    rateLimits.signInCode(who),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const [at, { id: customerId }] = [now(), session.customer]
  const since = at - EMAIL_CODE_PERIOD
  const tried = await emailChanges.countCodeTry(customerId, since)
  if (!tried) return { kind: "ended" }
  if (isEmailChangeCode(signer, { changeId: tried.id, code })) {
    await claimMailbox(services, customerId, await emailChanges.openOf(customerId, since))
    const changed = await emailChanges.confirm(tried.id, { customerId, since, at })
    if (!changed) return { kind: "ended" }
    services.wakeJobs()
    log.info({ customerId }, "email of a customer changed")
    return { kind: "changed", email: changed.newEmail, at }
  }
  if (tried.tries < CODE_TRIES) return { kind: "wrong" }
  await emailChanges.end(tried.id, at)
  return { kind: "ended" }
}

/** Who has had a free trial has had it under the new address too, also if the process dies before the change. */
async function claimMailbox(
  { trials, signer }: Pick<LoggedServices, "trials" | "signer">,
  customerId: string,
  change: EmailChange | null,
): Promise<void> {
  if (change !== null) await trials?.claimMailbox({ customerId }, mailboxMark(signer, change.newEmail))
}
