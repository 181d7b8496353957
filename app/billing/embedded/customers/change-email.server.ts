import { BillingError } from "~/billing/billing"
import type { EmailChange } from "~/billing/customer-admin"
import { normalizeEmail } from "~/domain/email"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { recordEmailChanged } from "../webhooks/other-events.server"
import { endEmailChanges } from "./email-changes.server"

/**
 * Gives a customer another e-mail, by decision of the operator: see `BillingAdmin.changeEmail`. Both addresses get a
 * message, so that an unwanted change is noticed.
 */
export async function changeEmail(ctx: DbContext, { from, to, at }: EmailChange): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const isSame = normalizeEmail(from) === normalizeEmail(to)
    if (!isSame && (await isTaken(tx, to)))
      throw new BillingError("refused", "Another customer has this email.")
    const client = await tx.db
      .updateTable("clients")
      .set({
        email: to.trim(),
        email_key: normalizeEmail(to),
        email_proven_at: null,
        sessions_since: at,
        sign_up_sessions_since: at,
      })
      .where("email_key", "=", normalizeEmail(from))
      .returning(["id", "locale"])
      .executeTakeFirst()
    if (!client) return false
    await endEmailChanges(tx, client.id, at)
    await recordEmailChanged(tx, client.id, at)
    const about = { name: "address-changed", at, clientId: client.id, locale: client.locale } as const
    const key = `address-changed ${client.id} ${at}`
    await enqueueMail(tx, { ...about, onceKey: `${key} former`, email: from.trim(), detail: to.trim() })
    await enqueueMail(tx, { ...about, onceKey: `${key} new`, email: to.trim(), detail: to.trim() })
    return true
  })
}

async function isTaken({ db }: DbContext, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("clients")
    .select("id")
    .where("email_key", "=", normalizeEmail(email))
    .executeTakeFirst()
  return row !== undefined
}
