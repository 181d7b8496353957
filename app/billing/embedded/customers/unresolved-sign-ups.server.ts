import { createHash } from "node:crypto"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/email"
import type { DbContext } from "../db/transaction.server"

/**
 * Asks for a sign-up of an e-mail, and remembers it until it is known that nothing came of it, or until what its
 * password proves has been written down (`resolveSignUps`): an account may have been made whose answer was lost, and
 * whoever signs in to it later has proven no more than the password that was chosen then.
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
    const answer = await call()
    if (answer === null) await settled()
    return answer
  } catch (error) {
    if (error instanceof BillingError && error.kind === "refused") await settled()
    throw error
  }
}

/** Whether they have been asked for a sign-up of an e-mail and never said what came of it. */
export async function hasUnresolvedSignUp({ db }: DbContext, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("unresolved_sign_ups")
    .select("id")
    .where("email_hash", "=", signUpHash(email))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How far the e-mail's password reaches is known by now. */
export async function resolveSignUps({ db }: DbContext, email: string): Promise<void> {
  await db.deleteFrom("unresolved_sign_ups").where("email_hash", "=", signUpHash(email)).execute()
}

/** Stands for an e-mail: what is kept here names nobody. */
export function signUpHash(email: string): string {
  return createHash("sha256")
    .update(`sign-up ${normalizeEmail(email)}`)
    .digest("hex")
}
