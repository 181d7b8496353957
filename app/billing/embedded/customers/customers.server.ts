import { BillingError } from "~/billing/billing"
import type { Identified, Visitor } from "~/billing/customers"
import type { Instant } from "~/domain/calendar"
import type { Customer, Proven, Reach } from "~/domain/customer"
import { emailKey } from "~/domain/email"
import { bought } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import type { ClientRow } from "../db/schema/order-rows"
import type { Books } from "../db/transaction.server"
import { serviceOf } from "../services/services.server"
import { hashOf, isPassword } from "./password-hash.server"

/** The client of an e-mail; made when there is none. Of two at once, one makes it and both get it. */
export async function identify(books: Books, visitor: Visitor): Promise<Identified> {
  const known = await clientOf(books, visitor.email)
  if (known) return { customerId: known.id, paysIn: null }
  const made = await writeClient(books, visitor, { password_hash: null, password_reach: null })
  return made === null ? identify(books, visitor) : { customerId: made, paysIn: null }
}

/** Writes a client down and gives his name in the books; null when his e-mail has one already. */
export async function writeClient(
  { db, newId }: Books,
  visitor: Visitor,
  password: Pick<ClientRow, "password_hash" | "password_reach">,
): Promise<string | null> {
  const { locale, currency, country, address, at } = visitor
  const made = await db
    .insertInto("clients")
    .values({
      ...{ id: newId(), email_key: emailKey(visitor.email), email: visitor.email.trim(), ...password },
      ...{ locale, currency, country, address, created_at: at },
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst()
  return made?.id ?? null
}

/** The customer of an e-mail, however it is typed. */
export async function customerOf(books: Books, email: string): Promise<Customer | null> {
  const client = await clientOf(books, email)
  return client ? customerIn(client, "account") : null
}

/** The customer whose e-mail and password these are: see `Customers.signIn`. */
export async function signIn(
  books: Books,
  { email, password }: { email: string; password: string },
): Promise<Customer | null> {
  const client = await clientOf(books, email)
  const proven = await isPassword(password, client?.password_hash ?? null)
  return client && proven ? customerIn(client, client.password_reach ?? "sign-up") : null
}

export async function setPassword(
  { db }: Books,
  { id, reach }: Proven,
  { password, now }: { password: string; now: () => Instant },
): Promise<void> {
  const password_hash = await hashOf(password)
  const { numUpdatedRows } = await db
    .updateTable("clients")
    .set({ password_hash, password_reach: reach, ...sessionsEnded(reach, now()) })
    .where("id", "=", id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new BillingError("refused", `No customer ${id}`)
}

/** What ends the sessions of before: whoever has only signed up ends none of those who have proven more. */
export function sessionsEnded(reach: Reach, at: Instant) {
  return reach === "account" ? { sessions_since: at } : { sign_up_sessions_since: at }
}

/** The paid services within a customer's reach, the newest first. */
export async function servicesOf(books: Books, { id, reach }: Proven): Promise<readonly Service[]> {
  const rows = await books.db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .selectAll("services")
    .where("services.client_id", "=", id)
    .$if(reach === "sign-up", (own) => own.where("orders.proven", "=", 1))
    .where("orders.status", "in", bought)
    .orderBy("services.created_at", "desc")
    .orderBy("services.id")
    .execute()
  return rows.map(serviceOf)
}

export function clientOf({ db }: Books, email: string): Promise<ClientRow | undefined> {
  return db.selectFrom("clients").selectAll().where("email_key", "=", emailKey(email)).executeTakeFirst()
}

function customerIn({ id, email, locale, currency }: ClientRow, reach: Customer["reach"]): Customer {
  return { id, email, locale, currency, reach }
}
