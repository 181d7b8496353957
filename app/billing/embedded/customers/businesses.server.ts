import type { NewUpsell } from "~/billing/orders/new-order"
import type { Business } from "~/domain/customers/business"
import { parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"

/** The business that a customer buys for: see `Customers.businessOf`. */
export async function businessOf({ db }: DbContext, customerId: string): Promise<Business | null> {
  const row = await db
    .selectFrom("clients")
    .select("business")
    .where("id", "=", customerId)
    .executeTakeFirst()
  return row?.business ? (JSON.parse(row.business) as Business) : null
}

/** Keeps the business that a customer buys for: see `Customers.setBusiness`. */
export async function setBusiness(
  { db }: DbContext,
  customerId: string,
  business: Business | null,
): Promise<void> {
  await db
    .updateTable("clients")
    .set({ business: business && JSON.stringify(business) })
    .where("id", "=", customerId)
    .execute()
}

/**
 * Keeps the business of a new order with its customer. Whoever types the e-mail of somebody else changes nothing of theirs: the
 * buyer is authenticated for the account, or the customer has no other order, and nobody has proven to receive mail there.
 */
export async function keepBusinessOf(
  { db }: DbContext,
  { buyer, customerId, accessScope, key }: Pick<NewUpsell, "buyer" | "customerId" | "accessScope" | "key">,
): Promise<void> {
  if (!buyer?.business) return
  const others = db
    .selectFrom("orders")
    .select("id")
    .where("client_id", "=", customerId)
    .where("one_time_key", "!=", key)
  await db
    .updateTable("clients")
    .set({ business: JSON.stringify(buyer.business) })
    .where("id", "=", customerId)
    .$if(accessScope?.reach !== "account", (own) =>
      own.where("email_proven_at", "is", null).where(({ not, exists }) => not(exists(others))),
    )
    .execute()
}

/** Takes the companies of erased customers out of their orders. Number and answer stay: they are why a sale was not taxed. */
export async function eraseBusinesses({ db }: DbContext, customerIds: readonly string[]): Promise<void> {
  await db.updateTable("clients").set({ business: null }).where("id", "in", customerIds).execute()
  const rows = await db
    .selectFrom("orders")
    .select(["id", "tax"])
    .where("client_id", "in", customerIds)
    .where("tax", "like", '%"business"%')
    .execute()
  for (const { id, tax: text } of rows) {
    const tax = parseOrderTax(text)
    const { business } = tax?.buyer ?? {}
    if (!tax || !business) continue
    const erased = { ...tax, buyer: { ...tax.buyer, business: { ...business, company: "", address: [] } } }
    await db
      .updateTable("orders")
      .set({ tax: JSON.stringify(erased) })
      .where("id", "=", id)
      .execute()
  }
}
