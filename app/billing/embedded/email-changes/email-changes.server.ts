import { isRefusedByBilling } from "~/billing/billing"
import type { EmailChanges, EmailConfirmation, NewEmailChange } from "~/billing/customers/email-changes"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { type EmailChange, stageOf } from "~/domain/customers/email-change"
import { CODE_TRIES } from "~/domain/customers/sign-in-request"
import { paidStatuses } from "~/domain/orders/order-status"
import { NO_PASSWORD } from "../customers/customers.server"
import { keepFormerEmail } from "../customers/former-emails.server"
import { formerKey } from "../customers/former-key.server"
import { lockCustomer } from "../customers/lock-customer.server"
import { toBillingError, WriteConflictError } from "../db/engines/database-errors.server"
import type { EmailChangeRow } from "../db/schema/mail-rows"
import type { ClientRow } from "../db/schema/order-rows"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { recordEmailChanged } from "../webhooks/other-events.server"
import { moveCorrectableOrders } from "./correct-email.server"

/** Creates the port of changes of e-mail on the embedded database. */
export function emailChangesOf(ctx: DbContext): EmailChanges {
  return guarded<EmailChanges>(ctx, {
    hasPassword,
    create,
    openOf,
    countCodeTry,
    end,
    confirm,
    find,
    isAvailable: async (db, email, customerId) => (await holderOf(db, { email, customerId })) !== "customer",
    revert,
    deleteChanges,
  })
}

async function hasPassword({ db }: DbContext, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("clients")
    .select("id")
    .where("id", "=", customerId)
    .where("password_hash", "is not", null)
    .where("password_scope", "=", "account")
    .executeTakeFirst()
  return row !== undefined
}

async function create(ctx: DbContext, { id, customerId, email, locale, at }: NewEmailChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockCustomer(tx, customerId)
    const client = await clientOfId(tx, customerId)
    if (!client) return
    await endOpen(tx, customerId, at)
    const [former_email, new_email] = [client.email, email.trim()]
    await tx.db
      .insertInto("email_changes")
      .values({
        id,
        client_id: customerId,
        former_email,
        new_email,
        new_key: normalizeEmail(email),
        created_at: at,
        tries: 0,
        confirmed_at: null,
        reverted_at: null,
        ended_at: null,
      })
      .execute()
    const about = { requestId: id, clientId: customerId, at } as const
    const code = { ...about, name: "address-code", onceKey: `address-code ${id}` } as const
    await enqueueMail(tx, { ...code, email: new_email, locale })
    const notice = { ...about, name: "address-requested", onceKey: `address-requested ${id}` } as const
    await enqueueMail(tx, { ...notice, email: former_email, detail: new_email })
  })
}

async function openOf({ db }: DbContext, customerId: string, since: Instant): Promise<EmailChange | null> {
  const row = await db
    .selectFrom("email_changes")
    .selectAll()
    .where("client_id", "=", customerId)
    .where("created_at", ">", since)
    .where("confirmed_at", "is", null)
    .where("ended_at", "is", null)
    .executeTakeFirst()
  return row ? changeIn(row) : null
}

/** The try is counted before the code is compared, so that concurrent guesses have no more tries than others. */
async function countCodeTry(
  { db }: DbContext,
  customerId: string,
  since: Instant,
): Promise<{ readonly id: string; readonly tries: number } | null> {
  const row = await db
    .updateTable("email_changes")
    .set((change) => ({ tries: change("tries", "+", 1) }))
    .where("client_id", "=", customerId)
    .where("created_at", ">", since)
    .where("confirmed_at", "is", null)
    .where("ended_at", "is", null)
    .where("tries", "<", CODE_TRIES)
    .returning(["id", "tries"])
    .executeTakeFirst()
  return row ?? null
}

async function end({ db }: DbContext, id: string, at: Instant): Promise<void> {
  await db
    .updateTable("email_changes")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .where("ended_at", "is", null)
    .execute()
}

async function confirm(
  ctx: DbContext,
  id: string,
  { customerId, since, at }: EmailConfirmation,
): Promise<EmailChange | null> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomer(tx, customerId)
    const change = await openOf(tx, customerId, since)
    if (change?.id !== id) return null
    if (!(await releaseAddress(tx, { email: change.newEmail, customerId, at }))) {
      await end(tx, id, at)
      return null
    }
    await tx.db.updateTable("email_changes").set({ confirmed_at: at }).where("id", "=", id).execute()
    await giveAddress(tx, { change, email: change.newEmail, at })
    await tx.db
      .updateTable("clients")
      .set(NO_PASSWORD)
      .where("id", "=", customerId)
      .where("password_scope", "=", "sign-up")
      .execute()
    await keepUnsubscribed(tx, change)
    await enqueueChanged(tx, { change, address: change.newEmail, at })
    return { ...change, confirmedAt: at }
  })
}

async function find({ db }: DbContext, id: string): Promise<EmailChange | null> {
  const row = await db.selectFrom("email_changes").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? changeIn(row) : null
}

async function revert(ctx: DbContext, id: string, at: Instant): Promise<"reverted" | "taken" | "over"> {
  const found = await find(ctx, id)
  if (!found) return "over"
  return inTransaction(ctx, async (tx) => {
    await lockCustomer(tx, found.customerId)
    const change = await find(tx, id)
    if (!change) return "over"
    switch (stageOf(change, at)) {
      case "open":
        return revertNow(tx, change, at)
      case "confirmed":
        return undo(tx, change, at)
      case "reverted":
        return "reverted"
      case "over":
        return "over"
    }
  })
}

async function undo(tx: DbContext, change: EmailChange, at: Instant): Promise<"reverted" | "taken"> {
  const { customerId, formerEmail: email } = change
  if (!(await releaseAddress(tx, { email, customerId, at }))) return "taken"
  await revertNow(tx, change, at)
  await enqueueChanged(tx, { change, address: email, at })
  return "reverted"
}

async function revertNow(tx: DbContext, change: EmailChange, at: Instant): Promise<"reverted"> {
  const { id, customerId, formerEmail: email } = change
  await endLater(tx, change, at)
  await tx.db
    .updateTable("email_changes")
    .set({ reverted_at: at, ended_at: at })
    .where("id", "=", id)
    .execute()
  await giveAddress(tx, { change, email, at })
  // Who asked for the change had the password, or has set one.
  await tx.db.updateTable("clients").set(NO_PASSWORD).where("id", "=", customerId).execute()
  return "reverted"
}

async function deleteChanges({ db }: DbContext, before: Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("email_changes")
    .where("created_at", "<", before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends what a customer or somebody else has asked for, confirmed or not: the operator has decided on the e-mail. */
export async function endEmailChanges({ db }: DbContext, customerId: string, at: Instant): Promise<void> {
  await db
    .updateTable("email_changes")
    .set({ ended_at: at })
    .where("client_id", "=", customerId)
    .where("ended_at", "is", null)
    .execute()
}

/** A confirmed change stays: its former address can still undo it. */
async function endOpen({ db }: DbContext, customerId: string, at: Instant): Promise<void> {
  await db
    .updateTable("email_changes")
    .set({ ended_at: at })
    .where("client_id", "=", customerId)
    .where("confirmed_at", "is", null)
    .where("ended_at", "is", null)
    .execute()
}

/** The addresses of later changes are not the customer's: their links must not bring one back. */
async function endLater(
  { db }: DbContext,
  { customerId, createdAt }: EmailChange,
  at: Instant,
): Promise<void> {
  await db
    .updateTable("email_changes")
    .set({ ended_at: at })
    .where("client_id", "=", customerId)
    .where("created_at", ">=", createdAt)
    .where("ended_at", "is", null)
    .execute()
}

type Address = { readonly email: string; readonly customerId: string }
type Released = Address & { readonly at: Instant }

/** Who else has an e-mail: nobody, somebody who has only typed it (whose id it is), or a customer. */
async function holderOf(
  { db }: DbContext,
  { email, customerId }: Address,
): Promise<null | "customer" | { id: string }> {
  const holder = await db
    .selectFrom("clients")
    .select(["id", "email_proven_at"])
    .where("email_key", "=", normalizeEmail(email))
    .where("id", "!=", customerId)
    .executeTakeFirst()
  if (!holder) return null
  // Anybody can order what costs nothing under any address, such as a free trial: only who has proven the address keeps it by that.
  const isProven = holder.email_proven_at !== null
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("orders.client_id")
    .where("orders.client_id", "=", holder.id)
    .where("orders.status", "in", paidStatuses)
    .$if(!isProven, (query) => query.where("invoices.total", ">", 0))
    .unionAll(db.selectFrom("payments").select("client_id").where("client_id", "=", holder.id))
    .unionAll(db.selectFrom("credits").select("client_id").where("client_id", "=", holder.id))
    .limit(1)
    .execute()
  return rows.length > 0 ? "customer" : holder
}

/**
 * Makes an e-mail free whose mailbox has been proven. Who has only typed it, and paid nothing, loses it: otherwise anybody could
 * keep an address from its owner. The orders that may still be paid go with it: their receipts do. False if a customer has it.
 */
async function releaseAddress(ctx: DbContext, address: Released): Promise<boolean> {
  const holder = await holderOf(ctx, address)
  if (holder === "customer") return false
  if (holder === null) return true
  await ctx.db
    .updateTable("clients")
    .set({ email_key: formerKey(address.email, holder.id), email_proven_at: null, ...NO_PASSWORD })
    .where("id", "=", holder.id)
    .execute()
  await moveCorrectableOrders(ctx, { from: holder.id, to: address.customerId, at: address.at })
  return true
}

type Given = { readonly change: EmailChange; readonly email: string; readonly at: Instant }

/** Gives a customer a proven e-mail, and ends all sessions and requests to sign in. */
async function giveAddress(ctx: DbContext, { change, email, at }: Given): Promise<void> {
  const { customerId, formerEmail, newEmail } = change
  const ended = { sessions_since: at, sign_up_sessions_since: at }
  await keepFormerEmail(ctx, { customerId, newEmail: email, at })
  const update = ctx.db
    .updateTable("clients")
    .set({ email, email_key: normalizeEmail(email), email_proven_at: at, ...ended })
    .where("id", "=", customerId)
  await unlessTaken(update.execute(), email)
  await ctx.db
    .updateTable("sign_in_requests")
    .set({ ended_at: at })
    .where("email_key", "in", [normalizeEmail(formerEmail), normalizeEmail(newEmail)])
    .where("ended_at", "is", null)
    .execute()
  await recordEmailChanged(ctx, customerId, at)
}

/** Somebody has typed the e-mail since it was released: the transaction starts again and sees it. */
async function unlessTaken(update: Promise<unknown>, email: string): Promise<void> {
  try {
    await update
  } catch (error) {
    const mapped = toBillingError(error)
    if (!isRefusedByBilling(mapped)) throw error
    throw new WriteConflictError(`Email of ${email.length} characters`, { cause: error })
  }
}

/** Who has unsubscribed from reminders is not reminded at the new address either. */
export async function keepUnsubscribed(
  { db }: DbContext,
  { formerEmail, newEmail }: Pick<EmailChange, "formerEmail" | "newEmail">,
): Promise<void> {
  const row = await db
    .selectFrom("mail_suppressions")
    .selectAll()
    .where("email_key", "=", normalizeEmail(formerEmail))
    .where("scope", "=", "reminder")
    .executeTakeFirst()
  if (!row) return
  await db
    .insertInto("mail_suppressions")
    .values({ ...row, email_key: normalizeEmail(newEmail) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Changed = { readonly change: EmailChange; readonly address: string; readonly at: Instant }

/** Both addresses get a message; the former one's has the link that undoes the change. */
async function enqueueChanged(ctx: DbContext, { change, address, at }: Changed): Promise<void> {
  const { id, customerId: clientId, formerEmail, newEmail } = change
  const about = { name: "address-changed", at, clientId } as const
  const key = `address-changed ${id} ${at}`
  const isUndone = address === formerEmail
  const undo = isUndone ? {} : { requestId: id }
  await enqueueMail(ctx, { ...about, ...undo, onceKey: `${key} former`, email: formerEmail, detail: address })
  await enqueueMail(ctx, { ...about, onceKey: `${key} new`, email: newEmail, detail: address })
}

function clientOfId({ db }: DbContext, id: string): Promise<Pick<ClientRow, "email"> | undefined> {
  return db.selectFrom("clients").select("email").where("id", "=", id).executeTakeFirst()
}

function changeIn(row: EmailChangeRow): EmailChange {
  return {
    id: row.id,
    customerId: row.client_id,
    formerEmail: row.former_email,
    newEmail: row.new_email,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    revertedAt: row.reverted_at,
    endedAt: row.ended_at,
  }
}
