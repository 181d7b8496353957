import type { ExpressionBuilder } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Identified, Visitor } from "~/billing/customers/customers"
import type { Instant } from "~/domain/calendar"
import type { AccessLevel, AccessScope, AuthenticatedCustomer, Customer } from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import type { ClientRow } from "../db/schema/order-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { ERASED } from "./erased-email.server"
import { hashPassword, verifyPassword } from "./password-hash.server"

/** Columns of an account without a password; sign-in always fails. */
export const NO_PASSWORD = { password_hash: null, password_scope: null, password_id: null } as const

/** Finds or creates the client of an email. Concurrent calls create one client and return the same id. */
export async function identify(ctx: DbContext, visitor: Visitor): Promise<Identified> {
  // Most buyers are new.
  const customerId =
    (await insertClient(ctx, visitor, NO_PASSWORD)) ?? (await clientOf(ctx, visitor.email))?.id
  // The customer may have been erased in between.
  return customerId === undefined ? identify(ctx, visitor) : { customerId, requiredCurrency: null }
}

/** Creates a client and returns its id; null if the email already has one. */
export async function insertClient(
  { db, newId }: DbContext,
  visitor: Visitor,
  password: Pick<ClientRow, "password_hash" | "password_scope" | "password_id">,
): Promise<string | null> {
  const { locale, currency, country, address, at } = visitor
  const made = await db
    .insertInto("clients")
    .values({
      id: newId(),
      email_key: normalizeEmail(visitor.email),
      email: visitor.email.trim(),
      ...password,
      locale,
      currency,
      country,
      address,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst()
  return made?.id ?? null
}

/** Finds a customer by email (normalized), with the account scope; null if unknown. */
export async function customerOf(ctx: DbContext, email: string): Promise<Customer | null> {
  const client = await clientOf(ctx, email)
  return client ? customerIn(client, { reach: "account" }) : null
}

/** The customer with an id: see `Customers.customerById`. */
export async function customerById({ db }: DbContext, id: string): Promise<Customer | null> {
  const client = await db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
  return client && client.email !== ERASED ? customerIn(client, { reach: "account" }) : null
}

/** Authenticates a customer by email and password: see `Customers.signIn`. */
export async function signIn(
  ctx: DbContext,
  { email, password }: { email: string; password: string },
): Promise<Customer | null> {
  const client = await clientOf(ctx, email)
  const verified = await verifyPassword(password, client?.password_hash ?? null)
  return client && verified ? customerIn(client, await scopeOfPassword(ctx, client)) : null
}

/** Access scope that a client's password proves. Assigns an id to a sign-up password without one. */
export async function scopeOfPassword({ db, newId }: DbContext, client: ClientRow): Promise<AccessScope> {
  if (client.password_scope === "account") return { reach: "account" }
  if (client.password_id !== null) return { reach: "sign-up", passwordId: client.password_id }
  await db
    .updateTable("clients")
    .set({ password_id: newId() })
    .where("id", "=", client.id)
    .where("password_id", "is", null)
    .execute()
  const row = await db
    .selectFrom("clients")
    .select("password_id")
    .where("id", "=", client.id)
    .executeTakeFirst()
  return { reach: "sign-up", passwordId: row?.password_id }
}

/** See `Customers.setPassword`. */
export async function setPassword(
  ctx: DbContext,
  customer: AuthenticatedCustomer,
  { password, now }: { password: string; now: () => Instant },
): Promise<void> {
  const { id, reach, passwordId } = customer
  const password_hash = await hashPassword(password)
  const password_id = reach === "account" ? null : (passwordId ?? ctx.newId())
  const at = now()
  await inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("clients")
      .set({ password_hash, password_scope: reach, password_id, ...sessionsEnded(reach, at) })
      .where("id", "=", id)
      .$if(reach === "sign-up", (update) => update.where(replaceable(passwordId)))
      .executeTakeFirst()
    if (numUpdatedRows === 0n)
      throw new BillingError(
        "refused",
        "Cannot set password: customer not found, or password changed concurrently",
      )
    await enqueuePasswordChanged(tx, id, { reach, at })
  })
}

/**
 * Tells a customer that the password was set or changed, in the current transaction. Of those that are chosen at a sign-up once: its
 * address may be another person's, whose mailbox must not be filled.
 */
export async function enqueuePasswordChanged(
  ctx: DbContext,
  clientId: string,
  { reach, at }: { readonly reach: AccessLevel; readonly at: Instant },
): Promise<void> {
  const onceKey = `password-changed ${clientId} ${reach === "account" ? at : reach}`
  await enqueueMail(ctx, { name: "password-changed", onceKey, clientId, at })
}

/** Columns that end earlier sessions. A `sign-up` customer ends only sessions with `sign-up` scope. */
export function sessionsEnded(reach: AccessLevel, at: Instant) {
  return reach === "account" ? { sessions_since: at } : { sign_up_sessions_since: at }
}

/** Without an id, a sign-up password replaces any sign-up password or none; with one, only its own predecessor. */
function replaceable(passwordId: AuthenticatedCustomer["passwordId"]) {
  return (row: ExpressionBuilder<Tables, "clients">) =>
    passwordId
      ? row.and([row("password_scope", "=", "sign-up"), row("password_id", "=", passwordId)])
      : row.or([row("password_scope", "=", "sign-up"), row("password_scope", "is", null)])
}

/** See `Customers.endSignUpPassword`. */
export async function endSignUpPassword(
  { db }: DbContext,
  customerId: string,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("clients")
    .set({ ...NO_PASSWORD, ...sessionsEnded("sign-up", at) })
    .where("id", "=", customerId)
    .where("password_scope", "=", "sign-up")
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export function clientOf({ db }: DbContext, email: string): Promise<ClientRow | undefined> {
  return db
    .selectFrom("clients")
    .selectAll()
    .where("email_key", "=", normalizeEmail(email))
    .executeTakeFirst()
}

function customerIn({ id, email, locale, currency }: ClientRow, scope: AccessScope): Customer {
  return { id, email, locale, currency, ...scope }
}
