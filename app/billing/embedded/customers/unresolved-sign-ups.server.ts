import { createHash } from "node:crypto"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/email"
import type { DbContext } from "../db/transaction.server"

/**
 * Runs a sign-up call and records it as unresolved until it fails definitively or `resolveSignUps` is called. If the
 * response is lost, the account may exist nevertheless; a later sign-in to it then proves only the sign-up password.
 *
 * The record is removed if `call` returns null or throws `BillingError` "refused". Errors of `call` are rethrown.
 */
export async function recordPendingSignUp<T>(
  { db, newId }: DbContext,
  { email, at }: { email: string; at: Instant },
  call: () => Promise<T | null>,
): Promise<T | null> {
  const id = newId()
  const settled = () => db.deleteFrom("unresolved_sign_ups").where("id", "=", id).execute()
  await db
    .insertInto("unresolved_sign_ups")
    .values({ id, email_hash: signUpHash(email), at })
    .execute()
  try {
    const result = await call()
    if (result === null) await settled()
    return result
  } catch (error) {
    if (error instanceof BillingError && error.kind === "refused") await settled()
    throw error
  }
}

/** Whether external billing received a sign-up of this email whose outcome is not recorded. */
export async function hasUnresolvedSignUp({ db }: DbContext, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("unresolved_sign_ups")
    .select("id")
    .where("email_hash", "=", signUpHash(email))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes all unresolved sign-ups of an email, once the scope of its password is recorded. */
export async function resolveSignUps({ db }: DbContext, email: string): Promise<void> {
  await db.deleteFrom("unresolved_sign_ups").where("email_hash", "=", signUpHash(email)).execute()
}

/** SHA-256 of the normalized email, so that the table holds no personal data in plain text. */
export function signUpHash(email: string): string {
  return createHash("sha256")
    .update(`sign-up ${normalizeEmail(email)}`)
    .digest("hex")
}
