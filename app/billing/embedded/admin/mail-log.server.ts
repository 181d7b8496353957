import { sql } from "kysely"
import type { MailRange, SoughtAddress, SuppressionFilter } from "~/billing/mail-admin"
import type { MailFilter, MailListed } from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { customerMessages, isForOperator, type MailSuppression } from "~/domain/shop/mail"
import { beginsWith, inByteOrder } from "../db/byte-order.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { mailTopic } from "../mail/enqueue-mail.server"

/** See `OrderAdmin.mails`. */
export async function listMails(
  ctx: DbContext,
  { limit, orderId, customerId }: MailFilter,
): Promise<readonly MailListed[]> {
  const rows = await logged(ctx)
    .$if(orderId !== undefined, (rows) => rows.where("mails.order_id", "=", orderId ?? ""))
    .$if(customerId !== undefined, (rows) => rows.where("mails.client_id", "=", customerId ?? ""))
    .orderBy("mails.created_at", "desc")
    .limit(limit)
    .execute()
  return rows.map(listed)
}

/** See `MailAdmin.mailPage`. */
export async function mailPage(
  ctx: DbContext,
  { state, address, beyond, newer = false, limit }: MailRange,
): Promise<readonly MailListed[]> {
  const way = newer ? "asc" : "desc"
  const place = sql`(mails.created_at, mails.id)`
  const last = sql`(${beyond?.at ?? 0}, ${beyond?.id ?? ""})`
  const batch = () =>
    logged(ctx)
      .$if(state === "sent", (rows) => rows.where("mails.state", "=", "sent"))
      .$if(state !== undefined && state !== "sent", (rows) =>
        // The literal condition of the partial index.
        rows.where("mails.state", "=", state ?? "sent").where(sql<boolean>`mails.state <> 'sent'`),
      )
      .$if(beyond !== undefined, (rows) =>
        rows.where(newer ? sql<boolean>`${place} > ${last}` : sql<boolean>`${place} < ${last}`),
      )
      .orderBy("mails.created_at", way)
      .orderBy("mails.id", way)
      .limit(limit)
  if (address === undefined) return (await batch().execute()).map(listed)
  const clients = await clientsAt(ctx, address)
  const toOthers = batch()
    .where("mails.email", "is not", null)
    .where(addressIs(ctx, "mails.email_key", address))
    .where("mails.name", "in", customerMessages)
  const toClients = batch()
    .where("mails.client_id", "in", clients)
    .where("mails.email", "is", null)
    .where("mails.name", "in", customerMessages)
  const found = [
    ...(await toOthers.execute()),
    ...(clients.length === 0 ? [] : await toClients.execute()),
  ].toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return (newer ? found : found.toReversed()).slice(0, limit)
}

/** The beginning of an address may be that of many customers. */
const MAX_CLIENTS = 100

async function clientsAt(ctx: DbContext, address: SoughtAddress): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("clients")
    .select("id")
    .where(addressIs(ctx, "email_key", address))
    .limit(MAX_CLIENTS)
    .execute()
  return rows.map(({ id }) => id)
}

/** Condition: a normalized address is the sought one, or begins with it. */
function addressIs(ctx: DbContext, column: string, { text, isBeginning }: SoughtAddress) {
  const sought = normalizeEmail(text)
  return isBeginning ? beginsWith(ctx, column, sought) : sql<boolean>`${inByteOrder(ctx, column)} = ${sought}`
}

/** One message; null for an unknown id. */
export async function showMail(ctx: DbContext, id: string): Promise<MailListed | null> {
  const row = await logged(ctx).where("mails.id", "=", id).executeTakeFirst()
  return row ? listed(row) : null
}

/** A message to the operator is about a customer, who does not get it. */
function listed(row: MailListed): MailListed {
  return isForOperator(row.name) ? { ...row, email: null } : row
}

/** The address that the customer had when the message was settled, if another one has taken its place since. */
const formerAddress = sql<string | null>`(
  select former_emails.email_key from former_emails
  where former_emails.client_id = mails.client_id and former_emails.until > mails.settled_at
  order by former_emails.until limit 1
)`

function logged({ db }: DbContext) {
  return db
    .selectFrom("mails")
    .leftJoin("clients", "clients.id", "mails.client_id")
    .select(["mails.id", "mails.name", "mails.state", "mails.tries", "mails.reason"])
    .select(["mails.order_id as orderId", "mails.created_at as createdAt", "mails.settled_at as settledAt"])
    .select((row) => row.fn.coalesce("mails.email", formerAddress, "clients.email").as("email"))
}

/** Sends a message again, whatever became of it: with the same id, rendered anew. False for an unknown id. */
export async function resendMail(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const mail = await tx.db
      .updateTable("mails")
      .set({ state: "waiting", settled_at: null })
      .where("id", "=", id)
      .returning("name")
      .executeTakeFirst()
    if (mail) await requeueJob(tx, { topic: mailTopic(mail.name), subject: id, at })
    return mail !== undefined
  })
}

/** See `MailAdmin.suppressions`. */
export async function listSuppressions(
  ctx: DbContext,
  { address, limit }: SuppressionFilter = {},
): Promise<readonly MailSuppression[]> {
  const rows = await ctx.db
    .selectFrom("mail_suppressions")
    .selectAll()
    .$if(address !== undefined, (query) =>
      query.where(addressIs(ctx, "email_key", address ?? { text: "", isBeginning: false })),
    )
    .orderBy("at", "desc")
    .orderBy("email_key")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
  return rows.map(({ email_key: email, scope, reason, at }) => ({ email, scope, reason, at }))
}

/** Ends every suppression of an address. Returns their number. */
export async function endSuppressions({ db }: DbContext, email: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("mail_suppressions")
    .where("email_key", "=", normalizeEmail(email))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
