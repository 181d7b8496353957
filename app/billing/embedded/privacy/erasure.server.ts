import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import { normalizeEmail } from "~/domain/email"
import { payableStatuses } from "~/domain/order-status"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { customerAccount } from "../reseller-credits/credit-ledger.server"

/** Stands where an e-mail was: no e-mail anybody could type. */
export const ERASED = "erased"

/**
 * Replaces what names customers by nothing, inside a transaction: e-mail, addresses, the words and devices on their
 * services, links to pay elsewhere. Orders, invoices, movements of money and credits, and the lines' own names stay, as
 * bookkeeping needs them. How far a password reached stays too: it would open more if nobody knew.
 */
export async function erase(
  { db }: DbContext,
  ids: readonly string[],
  passwords: "erase" | "keep",
): Promise<void> {
  if (ids.length === 0) return
  const email_key = sql<string>`cast(${`${ERASED} `} as text) || id`
  await db
    .updateTable("clients")
    .set({ email: ERASED, email_key, address: null, ...(passwords === "erase" && { password_hash: null }) })
    .where("id", "in", ids)
    .execute()
  await db
    .updateTable("orders")
    .set({ address: null, network: null, browser: null })
    .where("client_id", "in", ids)
    .execute()
  await db
    .updateTable("services")
    .set({ notes: "", device_address: null })
    .where("client_id", "in", ids)
    .execute()
  const orders = db.selectFrom("orders").select("id").where("client_id", "in", ids)
  await db.updateTable("external_orders").set({ link: null }).where("order_id", "in", orders).execute()
  // Why an order was held may name the address it came from, and the operator's words on it anything.
  await db
    .updateTable("order_events")
    .set({ reference: null })
    .where("order_id", "in", orders)
    .where("kind", "in", ["flagged", "released", "refused"])
    .execute()
}

/**
 * Erases the customer of an e-mail: how many there are of it, none included. Refuses (`BillingError` "refused") one who
 * has something open, running or to his credit, unless `force` says so; looked at last, so that nothing comes between.
 */
export async function eraseCustomer(
  ctx: DbContext,
  email: string,
  { force }: { force: boolean },
): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const ids = await clientsOf(tx, email)
    await erase(tx, ids, "erase")
    const held = force ? [] : await holding(tx, ids)
    if (held.length > 0)
      throw new BillingError(
        "refused",
        `Cannot erase: the customer has ${held.join(", ")}. Use --force to erase anyway.`,
      )
    return ids.length
  })
}

/** Beside somebody else's books an e-mail may have come to belong to another of their customers. */
export async function clientsOf({ db }: DbContext, email: string): Promise<readonly string[]> {
  const key = normalizeEmail(email)
  const former = `${key} of `
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where((row) =>
      row.or([
        row("email_key", "=", key),
        row(sql<string>`substr(email_key, 1, ${sql.lit(former.length)})`, "=", former),
      ]),
    )
    .orderBy("id")
    .execute()
  return rows.map(({ id }) => id)
}

/** What a customer would lose sight of, in words. */
async function holding({ db }: DbContext, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const statements: [string, Promise<unknown[]>][] = [
    [
      "an open order",
      db
        .selectFrom("orders")
        .select("id")
        .where("client_id", "in", ids)
        .where("status", "in", [...payableStatuses, "paid"])
        .execute(),
    ],
    [
      "an active service",
      db
        .selectFrom("services")
        .select("id")
        .where("client_id", "in", ids)
        .where("status", "=", "Active")
        .execute(),
    ],
    [
      "account credit",
      db
        .selectFrom("credits")
        .select("currency")
        .where("client_id", "in", ids)
        .where("balance", "!=", 0)
        .execute(),
    ],
    [
      "reseller credits",
      db
        .selectFrom("credit_balances")
        .select("account")
        .where("account", "in", ids.map(customerAccount))
        .where("balance", "!=", 0)
        .execute(),
    ],
  ]
  const found = await Promise.all(statements.map(([, rows]) => rows))
  return statements.flatMap(([message], at) => (found[at]?.length ? [message] : []))
}
