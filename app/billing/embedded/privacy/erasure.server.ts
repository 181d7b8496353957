import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import { normalizeEmail } from "~/domain/customers/email"
import { payableStatuses } from "~/domain/orders/order-status"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { eraseBusinesses } from "../customers/businesses.server"
import { ERASED, erasedEmail } from "../customers/erased-email.server"
import { beginningOfFormerKey } from "../customers/former-key.server"
import { beginsWith, inByteOrder } from "../db/byte-order.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { customerAccount } from "../reseller-credits/credit-ledger.server"
import { deleteEventsOf } from "../webhooks/webhook-retention.server"
import { addressKeysOf } from "./address-keys.server"

/**
 * Erases personal data of customers in the current transaction: e-mail, IP addresses, notes and MAC addresses of services,
 * companies, external payment links, events for the operator's systems. Orders, invoices, ledger entries and line credentials
 * stay, as accounting requires. The password scope stays too: without it a retained password would grant access to the whole
 * account.
 */
export async function erase(
  ctx: DbContext,
  ids: readonly string[],
  passwords: "erase" | "keep",
): Promise<void> {
  const { db } = ctx
  if (ids.length === 0) return
  await eraseMail(ctx, ids, await addressKeysOf(ctx, ids))
  await eraseBusinesses(ctx, ids)
  await db
    .updateTable("clients")
    .set({ ...erasedEmail, address: null, ...(passwords === "erase" && { password_hash: null }) })
    .where("id", "in", ids)
    .execute()
  await db
    .updateTable("orders")
    .set({ address: null, network: null, browser: null })
    .where("client_id", "in", ids)
    .execute()
  await db
    .updateTable("services")
    .set({ notes: "", device_address: null, device_requested: null, suspension_reason: null })
    .where("client_id", "in", ids)
    .execute()
  const orders = db.selectFrom("orders").select("id").where("client_id", "in", ids)
  await db.updateTable("tax_documents").set({ buyer_email: null }).where("order_id", "in", orders).execute()
  await db.updateTable("external_orders").set({ link: null }).where("order_id", "in", orders).execute()
  const attempts = db.selectFrom("payment_attempts").select("id").where("order_id", "in", orders)
  await db.deleteFrom("coin_references").where("attempt_id", "in", attempts).execute()
  // Without the hashes an erasure would be another free trial.
  await db.updateTable("trial_claims").set({ order_id: null }).where("order_id", "in", orders).execute()
  // The fraud reason may contain the IP address, and the operator's reasons any personal data.
  await db
    .updateTable("order_events")
    .set({ reference: null })
    .where("order_id", "in", orders)
    .where("kind", "in", ["flagged", "released", "refused"])
    .execute()
  // What was paid outside the gateways is known by the operator's decision, which stays without what was written about it.
  await db
    .updateTable("order_events")
    .set({ reference: OPERATOR_REFERENCE })
    .where("order_id", "in", orders)
    .where("reference", "like", `${OPERATOR_REFERENCE}%`)
    .execute()
  // What operators wrote down may be about the person.
  await db.deleteFrom("blocks").where("kind", "=", "customer").where("value", "in", ids).execute()
  await db.updateTable("credit_movements").set({ reason: null }).where("client_id", "in", ids).execute()
  await db.deleteFrom("order_notes").where("order_id", "in", orders).execute()
  await db.updateTable("approvals").set({ reason: "" }).where("order_id", "in", orders).execute()
  await db.updateTable("approvals").set({ reason: "" }).where("client_id", "in", ids).execute()
  await db
    .updateTable("unmatched_payments")
    .set({ reference: null, operator_reason: "" })
    .where((row) => row.or([row("client_id", "in", ids), row("order_id", "in", orders)]))
    .execute()
  await db.updateTable("gateway_refunds").set({ reason: "" }).where("order_id", "in", orders).execute()
  // A refund that waits goes to its address first, and leaves none behind then.
  await db
    .updateTable("gateway_refunds")
    .set({ address: null, claim_url: null, detail: null })
    .where("order_id", "in", orders)
    .where("state", "!=", "waiting")
    .execute()
  await db.updateTable("order_refunds").set({ reason: "" }).where("order_id", "in", orders).execute()
  await db.deleteFrom("order_tags").where("order_id", "in", orders).execute()
  const services = db.selectFrom("services").select("id").where("client_id", "in", ids)
  await db
    .updateTable("service_events")
    .set({ detail: null })
    .where("service_id", "in", services)
    .where("kind", "in", [
      "extended",
      "suspended",
      "resumed",
      "terminated",
      "connections",
      "device",
      "recreated",
    ])
    .execute()
  await deleteEventsOf(ctx, ids)
}

/**
 * Erases what the mail log, suppressions and requests to sign in say about customers' addresses. Messages about orders
 * stay, without an address; those that are still waiting are skipped. Before the addresses of the customers are erased.
 */
async function eraseMail(ctx: DbContext, ids: readonly string[], keys: readonly string[]): Promise<void> {
  const { db } = ctx
  const isTheirs = sql<boolean>`${inByteOrder(ctx, "mails.email_key")} in (${sql.join(keys)})`
  const erased = { email: null, email_key: null, detail: null }
  await db.deleteFrom("mails").where("name", "in", ["sign-in", "address-code"]).where(isTheirs).execute()
  await db.updateTable("mails").set(erased).where("client_id", "in", ids).execute()
  await db.updateTable("mails").set(erased).where(isTheirs).execute()
  await db.deleteFrom("mail_suppressions").where("email_key", "in", keys).execute()
  await db.deleteFrom("sign_in_requests").where("email_key", "in", keys).execute()
  await db.deleteFrom("email_changes").where("client_id", "in", ids).execute()
  await db.deleteFrom("email_changes").where("new_key", "in", keys).execute()
  await db.deleteFrom("former_emails").where("client_id", "in", ids).execute()
  const isFormer = sql<boolean>`${inByteOrder(ctx, "email_key")} in (${sql.join(keys)})`
  await db.deleteFrom("former_emails").where(isFormer).execute()
}

/**
 * Erases customers: see `CustomerAdmin.eraseCustomer`. Returns their number, without who was erased before. Unless `force`,
 * throws `BillingError` "refused" if one has an open order, an active or suspended service, account credit or reseller credits. The check
 * runs after the erasure in the same transaction, so that a concurrent order cannot slip in between.
 */
export async function eraseCustomer(
  ctx: DbContext,
  customerIds: readonly string[],
  { force }: { force: boolean },
): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const ids = await storedOf(tx, customerIds)
    const keys = ids.length === 0 ? [] : await addressKeysOf(tx, ids)
    await erase(tx, ids, "erase")
    for (const key of keys) await eraseFormerKeys(tx, key)
    const held = force ? [] : await holding(tx, ids)
    if (held.length > 0)
      throw new BillingError(
        "refused",
        `Cannot erase: the customer has ${held.join(", ")}. Use --force to erase anyway.`,
      )
    return ids.length
  })
}

/** Takes an erased address out of those who had it before, and only ordered under it or have another one elsewhere. */
async function eraseFormerKeys(ctx: DbContext, key: string): Promise<void> {
  await ctx.db
    .updateTable("clients")
    .set(erasedEmail)
    .where(beginsWith(ctx, "email_key", beginningOfFormerKey(key)))
    .execute()
}

/** See `BillingAdmin.customersOf`. */
export async function customersOf(ctx: DbContext, email: string): Promise<readonly string[]> {
  const rows = await ctx.db
    .selectFrom("clients")
    .select("id")
    .where((row) =>
      row.or([
        row("email_key", "=", normalizeEmail(email)),
        beginsWith(ctx, "email_key", beginningOfFormerKey(email)),
      ]),
    )
    .orderBy("id")
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of some customers who exist, and were not erased. */
export async function storedOf({ db }: DbContext, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where("id", "in", ids)
    .where("email", "!=", ERASED)
    .orderBy("id")
    .execute()
  return rows.map(({ id }) => id)
}

/** Reasons not to erase a customer, as phrases for the error message. */
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
      "an active or suspended service",
      db
        .selectFrom("services")
        .select("id")
        .where("client_id", "in", ids)
        .where("status", "in", ["Active", "Suspended"])
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
