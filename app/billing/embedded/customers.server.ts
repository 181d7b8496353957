import { BillingError } from "~/billing/billing"
import type { Visitor } from "~/billing/customers"
import type { Customer } from "~/domain/customer"
import { emailKey } from "~/domain/email"
import { bought } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import type { Books } from "./books.server"
import { serviceOf } from "./orders/services.server"
import { hashOf, isPassword } from "./passwords.server"
import type { ClientRow } from "./schema/order-rows"

/** The client of an e-mail; made when there is none. Of two at once, one makes it and both get it. */
export async function identify(books: Books, visitor: Visitor): Promise<{ customerId: string }> {
  const known = await clientOf(books, visitor.email)
  if (known) return { customerId: known.id }
  await books.db
    .insertInto("clients")
    .values({
      id: books.newId(),
      email_key: emailKey(visitor.email),
      email: visitor.email.trim(),
      password_hash: null,
      locale: visitor.locale,
      currency: visitor.currency,
      country: visitor.country,
      address: visitor.address,
      created_at: visitor.at,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .execute()
  const made = await clientOf(books, visitor.email)
  return made ? { customerId: made.id } : identify(books, visitor)
}

/** The customer of an e-mail, however it is typed. */
export async function customerOf(books: Books, email: string): Promise<Customer | null> {
  const client = await clientOf(books, email)
  return client ? customerIn(client) : null
}

/** The customer whose e-mail and password these are: see `Customers.signIn`. */
export async function signIn(
  books: Books,
  { email, password }: { email: string; password: string },
): Promise<Customer | null> {
  const client = await clientOf(books, email)
  const proven = await isPassword(password, client?.password_hash ?? null)
  return client && proven ? customerIn(client) : null
}

export async function setPassword({ db }: Books, customerId: string, password: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("clients")
    .set({ password_hash: await hashOf(password) })
    .where("id", "=", customerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new BillingError("refused", `No customer ${customerId}`)
}

/** The services a customer has paid for, the newest first. */
export async function servicesOf(books: Books, customerId: string): Promise<readonly Service[]> {
  const rows = await books.db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .selectAll("services")
    .where("services.client_id", "=", customerId)
    .where("orders.status", "in", bought)
    .orderBy("services.created_at", "desc")
    .orderBy("services.id")
    .execute()
  return rows.map(serviceOf)
}

function clientOf({ db }: Books, email: string): Promise<ClientRow | undefined> {
  return db.selectFrom("clients").selectAll().where("email_key", "=", emailKey(email)).executeTakeFirst()
}

function customerIn({ id, email, locale, currency }: ClientRow): Customer {
  return { id, email, locale, currency }
}
