import { sql } from "kysely"
import type { FormerEmail } from "~/billing/customers/customer-admin"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { beginsWith, inByteOrder } from "../db/byte-order.server"
import type { DbContext } from "../db/transaction.server"
import { ERASED } from "./erased-email.server"
import { beginningOfFormerKey } from "./former-key.server"

type Changed = { readonly customerId: string; readonly newEmail: string; readonly at: Instant }

/** Keeps the e-mail that a customer has until now, before another one takes its place, so that operators find the customer by it. */
export async function keepFormerEmail(
  { db }: DbContext,
  { customerId, newEmail, at }: Changed,
): Promise<void> {
  const client = await db
    .selectFrom("clients")
    .select("email")
    .where("id", "=", customerId)
    .executeTakeFirst()
  if (!client || client.email === ERASED) return
  const email_key = normalizeEmail(client.email)
  if (email_key === normalizeEmail(newEmail)) return
  await db
    .insertInto("former_emails")
    .values({ client_id: customerId, email_key, until: at })
    .onConflict((conflict) => conflict.columns(["client_id", "email_key"]).doUpdateSet({ until: at }))
    .execute()
}

/** The e-mails that a customer had before, the last one first. */
export async function formerEmailsOf({ db }: DbContext, customerId: string): Promise<readonly FormerEmail[]> {
  return db
    .selectFrom("former_emails")
    .select(["email_key as email", "until"])
    .where("client_id", "=", customerId)
    .orderBy("until", "desc")
    .execute()
}

type SoughtEmail = {
  readonly text: string
  readonly isWhole?: boolean | undefined
  /** Only customers with a reseller plan. */
  readonly ofResellers?: boolean
  readonly limit: number
}

/** Written out, as in the index of resellers, which no parameter would match. */
const hasResellerPlan = (customerId: string) =>
  sql<boolean>`exists (select 1 from services where services.client_id = ${sql.ref(customerId)} and services.kind = 'reseller')`

/**
 * Ids of the customers who have or had an e-mail that begins with a text, or with `isWhole` is that text. Each query reads a range of
 * an index.
 */
export async function customersByEmail(
  ctx: DbContext,
  { text, isWhole = false, ofResellers = false, limit }: SoughtEmail,
): Promise<string[]> {
  const key = normalizeEmail(text)
  const present = ctx.db
    .selectFrom("clients")
    .select("id")
    .$if(ofResellers, (query) => query.where(hasResellerPlan("clients.id")))
    .limit(limit)
  const former = ctx.db
    .selectFrom("former_emails")
    .select("client_id as id")
    .$if(ofResellers, (query) => query.where(hasResellerPlan("former_emails.client_id")))
    .limit(limit)
  const queries = isWhole
    ? [
        present.where("email_key", "=", key),
        present.where(beginsWith(ctx, "email_key", beginningOfFormerKey(key))),
        former.where(inByteOrder(ctx, "email_key"), "=", key),
      ]
    : [present.where(beginsWith(ctx, "email_key", key)), former.where(beginsWith(ctx, "email_key", key))]
  const ids = new Set<string>()
  for (const query of queries) for (const { id } of await query.execute()) ids.add(id)
  return [...ids].slice(0, limit)
}
