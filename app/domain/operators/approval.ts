import { DAY, type Instant } from "../calendar"
import type { Money } from "../money/money"

/** Actions that move money: above `APPROVE_ABOVE` a second operator confirms them. */
export const approvedActions = [
  "refund-order",
  "mark-order-paid",
  "waive-rest",
  "grant-credit",
  "assign-payment",
  "credit-payment",
] as const
export type ApprovedAction = (typeof approvedActions)[number]

/** What was granted to a customer in this time counts, so that no grant is split to stay below the limit. */
export const GRANTS_OF = DAY

/** A request that nobody has decided on in this time is void: longer than a weekend. */
export const APPROVAL_PERIOD = 3 * DAY

/**
 * An operator's account counts as a second person once its access is this old: whoever adds an account, or gives one a new link, can
 * open the link themselves. Longer than a weekend, since the other owners are told at once and have to see it.
 */
export const ACCESS_IS_NEW_FOR = 3 * DAY

/**
 * Whether the console is being set up: nobody's access can be older by then, and there is no other owner who could see a new one.
 * `firstAt`: when its first account was added; null: there is none.
 */
export function isSettingUp({ at, firstAt }: { at: Instant; firstAt: Instant | null }): boolean {
  return firstAt === null || at < firstAt + ACCESS_IS_NEW_FOR
}

/** `countsAtOnce`: the admin CLI has added the account while the console was set up. */
export type Access = { readonly accessAt: Instant; readonly countsAtOnce: boolean }

/** From when on an account counts as a second person for another account. */
export function countsFrom({ accessAt, countsAtOnce }: Access): Instant {
  return countsAtOnce ? accessAt : accessAt + ACCESS_IS_NEW_FOR
}

/**
 * Whose access is too new for a confirmation, the one's who has asked or the one's who confirms, and from when it is not; null if
 * neither is. The admin CLI has no account (null), and waits for accounts of the set-up, which it has added.
 */
export function newAccess(
  { asker, confirmer }: { readonly asker: Access | null; readonly confirmer: Access | null },
  now: Instant,
): { readonly whose: "asker" | "confirmer"; readonly until: Instant } | null {
  const isByCli = asker === null || confirmer === null
  const ofAsker = newUntil(asker, isByCli)
  const ofConfirmer = newUntil(confirmer, isByCli)
  if (ofConfirmer > now && ofConfirmer >= ofAsker) return { whose: "confirmer", until: ofConfirmer }
  return ofAsker > now ? { whose: "asker", until: ofAsker } : null
}

function newUntil(access: Access | null, isByCli: boolean): Instant {
  if (access === null) return 0
  return countsFrom(isByCli ? { ...access, countsAtOnce: false } : access)
}

/** Whether an amount needs a second operator; one in another currency than the limit always does. Null: no limit. */
export function needsApproval(amount: Money, limit: Money | null): boolean {
  if (limit === null) return false
  return amount.currency !== limit.currency || amount.minor > limit.minor
}

type Decided = {
  readonly decision: "confirmed" | "refused" | null
  readonly result: string | null
  readonly expiresAt: Instant
}

/** Whether a request can be confirmed: one that was confirmed without being carried out can be confirmed again. */
export function awaitsConfirmation({ decision, result, expiresAt }: Decided, now: Instant): boolean {
  if (result !== null) return false
  return decision === "confirmed" || (decision === null && now < expiresAt)
}
