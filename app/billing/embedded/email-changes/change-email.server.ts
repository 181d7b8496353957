import { BillingError } from "~/billing/billing"
import type { EmailChange } from "~/billing/customers/customer-admin"
import { normalizeEmail } from "~/domain/customers/email"
import { ERASED } from "../customers/erased-email.server"
import { keepFormerEmail } from "../customers/former-emails.server"
import { isFormerKey } from "../customers/former-key.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ClientRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { recordEmailChanged } from "../webhooks/other-events.server"
import { endEmailChanges, keepUnsubscribed } from "./email-changes.server"

/**
 * Gives a customer another e-mail, by decision of the operator: see `BillingAdmin.changeEmail`. Both addresses get a
 * message, so that an unwanted change is noticed.
 */
export async function changeEmail(
  ctx: DbContext,
  { customerId, to, emailBefore, at }: EmailChange,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const client = await storedOf(tx, customerId, emailBefore)
    if (!client) return false
    if (await isTaken(tx, to, customerId))
      throw new BillingError("refused", "Another customer has this email.")
    await keepFormerEmail(tx, { customerId, newEmail: to, at })
    await replaceEmail(tx, client.email, { customerId, to, at })
    // Who has the former address now decides about their own reminders.
    if (!isFormerKey(client.email_key))
      await keepUnsubscribed(tx, { formerEmail: client.email, newEmail: to })
    await endEmailChanges(tx, customerId, at)
    await recordEmailChanged(tx, customerId, at)
    const about = { name: "address-changed", at, clientId: customerId } as const
    const key = `address-changed ${customerId} ${at}`
    // Who has the former address now is not concerned.
    if (!isFormerKey(client.email_key))
      await enqueueMail(tx, { ...about, onceKey: `${key} former`, email: client.email, detail: to.trim() })
    await enqueueMail(tx, { ...about, onceKey: `${key} new`, email: to.trim(), detail: to.trim() })
    return true
  })
}

async function storedOf(
  { db }: DbContext,
  customerId: string,
  email: string | undefined,
): Promise<Pick<ClientRow, "email" | "email_key"> | undefined> {
  return db
    .selectFrom("clients")
    .select(["email", "email_key"])
    .where("id", "=", customerId)
    .where("email", "!=", ERASED)
    .$if(email !== undefined, (found) => found.where("email", "=", email ?? ""))
    .executeTakeFirst()
}

/** Throws a `WriteConflictError` if the e-mail is not the former one any more. */
async function replaceEmail(
  { db }: DbContext,
  former: string,
  { customerId, to, at }: Pick<EmailChange, "customerId" | "to" | "at">,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("clients")
    .set({
      email: to.trim(),
      email_key: normalizeEmail(to),
      email_proven_at: null,
      sessions_since: at,
      sign_up_sessions_since: at,
    })
    .where("id", "=", customerId)
    .where("email", "=", former)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError()
}

async function isTaken({ db }: DbContext, email: string, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("clients")
    .select("id")
    .where("email_key", "=", normalizeEmail(email))
    .where("id", "!=", customerId)
    .executeTakeFirst()
  return row !== undefined
}
