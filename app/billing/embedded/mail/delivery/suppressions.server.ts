import { normalizeEmail } from "~/domain/customers/email"
import type { MailSuppression } from "~/domain/shop/mail"
import { ERASED } from "../../customers/erased-email.server"
import { precompiledQuery } from "../../db/precompiled-query.server"
import { type DbContext, inTransaction } from "../../db/transaction.server"
import { recordSuppressed } from "../../webhooks/other-events.server"

/** Suppresses an address: see `MailRepository.suppress`. */
export async function suppress(ctx: DbContext, suppression: MailSuppression): Promise<void> {
  const { email, scope, reason, at } = suppression
  await inTransaction(ctx, async (tx) => {
    const added = await tx.db
      .insertInto("mail_suppressions")
      .values({ email_key: normalizeEmail(email), scope, reason, at })
      .onConflict((conflict) => conflict.columns(["email_key", "scope"]).doNothing())
      .returning("email_key")
      .executeTakeFirst()
    if (added) await recordSuppressed(tx, suppression)
  })
}

/** Suppressions of an address: see `MailRepository.suppressionsOf`. */
export async function suppressionsOf(ctx: DbContext, email: string): Promise<readonly MailSuppression[]> {
  const rows = await rowsOfEmail(ctx, normalizeEmail(email))
  return rows.map(({ email_key, scope, reason, at }) => ({ email: email_key, scope, reason, at }))
}

const rowsOfEmail = precompiledQuery(({ db }, email) =>
  db.selectFrom("mail_suppressions").selectAll().where("email_key", "=", email),
)

/** Suppresses the recipient of a message: see `MailRepository.suppressRecipient`. */
export async function suppressRecipient(
  ctx: DbContext,
  mailId: string,
  suppression: Omit<MailSuppression, "email">,
): Promise<boolean> {
  const { sentTo = null } = (await addressesOf(ctx, mailId)) ?? {}
  if (sentTo === null) return false
  await suppress(ctx, { ...suppression, email: sentTo })
  return true
}

/** Ends reminders to who got a message: see `MailRepository.unsubscribe`. */
export async function unsubscribe(
  ctx: DbContext,
  mailId: string,
  suppression: Pick<MailSuppression, "reason" | "at">,
): Promise<boolean> {
  const { sentTo = null, current = null } = (await addressesOf(ctx, mailId)) ?? {}
  const addresses = [sentTo, current === ERASED ? null : current].filter((it) => it !== null)
  for (const email of addresses) await suppress(ctx, { ...suppression, scope: "reminder", email })
  return addresses.length > 0
}

async function addressesOf({ db }: DbContext, mailId: string) {
  return db
    .selectFrom("mails")
    .leftJoin("clients", "clients.id", "mails.client_id")
    .select(["mails.email_key as sentTo", "clients.email as current"])
    .where("mails.id", "=", mailId)
    .executeTakeFirst()
}
