import { createHash } from "node:crypto"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import type { DbContext } from "../db/transaction.server"

/** Records a sign-up as unresolved and returns its id. */
export async function recordSignUp(
  { db, newId }: DbContext,
  { email, at }: { email: string; at: Instant },
): Promise<string> {
  const id = newId()
  await db
    .insertInto("unresolved_sign_ups")
    .values({ id, email_hash: signUpHash(email), at })
    .execute()
  return id
}

/** Removes a sign-up that created no account. */
export async function removeSignUp({ db }: DbContext, id: string): Promise<void> {
  await db.deleteFrom("unresolved_sign_ups").where("id", "=", id).execute()
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
