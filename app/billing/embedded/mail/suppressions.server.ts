import { normalizeEmail } from "~/domain/email"
import type { MailSuppression } from "~/domain/mail"
import type { DbContext } from "../db/transaction.server"

/** Suppresses an address: see `MailRepository.suppress`. */
export async function suppress(
  { db }: DbContext,
  { email, scope, reason, at }: MailSuppression,
): Promise<void> {
  await db
    .insertInto("mail_suppressions")
    .values({ email_key: normalizeEmail(email), scope, reason, at })
    .onConflict((conflict) => conflict.columns(["email_key", "scope"]).doNothing())
    .execute()
}

/** Suppressions of an address: see `MailRepository.suppressionsOf`. */
export async function suppressionsOf({ db }: DbContext, email: string): Promise<readonly MailSuppression[]> {
  const rows = await db
    .selectFrom("mail_suppressions")
    .selectAll()
    .where("email_key", "=", normalizeEmail(email))
    .execute()
  return rows.map(({ email_key, scope, reason, at }) => ({ email: email_key, scope, reason, at }))
}
