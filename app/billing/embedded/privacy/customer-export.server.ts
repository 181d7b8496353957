import { type RawBuilder, sql } from "kysely"
import type { CustomerExport } from "~/billing/customers/customer-admin"
import { signUpHash } from "../customers/unresolved-sign-ups.server"
import { inByteOrder } from "../db/byte-order.server"
import type { DbContext } from "../db/transaction.server"
import { customerAccount } from "../reseller-credits/credit-ledger.server"
import { addressKeysOf } from "./address-keys.server"
import { storedOf } from "./erasure.server"

type Value = string | number | boolean | null
type Row = Record<string, Value>

const INSTANTS: readonly string[] = [
  "created_at",
  "placed_at",
  "deadline",
  "paid_at",
  "opened_at",
  "polled_at",
  "poll_after",
  "resumed_at",
  "booked_at",
  "claimed_until",
  "first_at",
  "at",
  "due",
  "email_proven_at",
  "ended_at",
  "settled_at",
  "handled_at",
  "sessions_since",
  "sign_up_sessions_since",
  "term_anchor",
  "paid_until",
  "not_before",
  "suspended_at",
  "declined_at",
  "next_step_at",
  "held_since",
  "announced_from",
  "applied_at",
  "undone_at",
  "confirmed_at",
  "reverted_at",
  "until",
  "claimed_at",
  "issued_at",
  "tax_corrected_at",
]

/** Exports all data stored about customers (GDPR, article 15): see `CustomerAdmin.exportCustomer`. */
export async function exportCustomer(
  ctx: DbContext,
  customerIds: readonly string[],
): Promise<CustomerExport | null> {
  const ids = await storedOf(ctx, customerIds)
  if (ids.length === 0) return null
  const keys = await addressKeysOf(ctx, ids)
  const rows = await Promise.all(
    Object.entries(ownedBy(ctx, ids, keys)).map(async ([table, condition]) => [
      table,
      await owned(ctx, table, condition),
    ]),
  )
  return Object.fromEntries(rows)
}

/** Conditions, by table, that select the rows of customers and of their normalized addresses. */
function ownedBy(
  ctx: DbContext,
  ids: readonly string[],
  keys: readonly string[],
): Record<string, RawBuilder<unknown>> {
  const ownedRows = sql`in (${sql.join(ids)})`
  const ownKeys = sql`in (${sql.join(keys)})`
  const accounts = sql`in (${sql.join(ids.map(customerAccount))})`
  const orders = sql`select id from orders where client_id ${ownedRows}`
  const services = sql`select id from services where client_id ${ownedRows}`
  const mails = sql`select id from mails where client_id ${ownedRows} or ${inByteOrder(ctx, "mails.email_key")} ${ownKeys}`
  return {
    clients: sql`id ${ownedRows}`,
    orders: sql`client_id ${ownedRows}`,
    order_lines: sql`order_id in (${orders})`,
    order_events: sql`order_id in (${orders})`,
    order_notes: sql`order_id in (${orders})`,
    order_tags: sql`order_id in (${orders})`,
    approvals: sql`client_id ${ownedRows} or order_id in (${orders})`,
    gateway_refunds: sql`order_id in (${orders})`,
    order_refunds: sql`order_id in (${orders})`,
    external_orders: sql`order_id in (${orders})`,
    invoices: sql`client_id ${ownedRows}`,
    services: sql`client_id ${ownedRows}`,
    service_events: sql`service_id in (${services})`,
    renewal_items: sql`order_id in (${orders})`,
    plan_changes: sql`order_id in (${orders})`,
    upsells: sql`order_id in (${orders})`,
    next_plans: sql`service_id in (${services})`,
    trial_claims: sql`order_id in (${orders})`,
    term_campaign_items: sql`service_id in (${services})`,
    payment_attempts: sql`order_id in (${orders})`,
    gateway_events: sql`attempt_id in (select id from payment_attempts where order_id in (${orders}))`,
    unapplied_reports: sql`attempt_id in (select id from payment_attempts where order_id in (${orders}))`,
    unmatched_payments: sql`client_id ${ownedRows} or order_id in (${orders})
      or attempt_id in (select id from payment_attempts where order_id in (${orders}))`,
    payments: sql`client_id ${ownedRows}`,
    outside_payments: sql`invoice_id in (select id from invoices where client_id ${ownedRows})`,
    tax_documents: sql`order_id in (${orders})`,
    credits: sql`client_id ${ownedRows}`,
    credit_movements: sql`client_id ${ownedRows}`,
    credit_entries: sql`from_account ${accounts} or to_account ${accounts}`,
    credit_balances: sql`account ${accounts}`,
    unresolved_sign_ups: sql`email_hash in (${sql.join(keys.map(signUpHash))})`,
    outbox: sql`subject in (${orders}) or subject in (${services})
      or subject in (${mails})`,
    mails: sql`id in (${mails})`,
    blocks: sql`kind = 'customer' and value ${ownedRows}`,
    mail_suppressions: sql`email_key ${ownKeys}`,
    sign_in_requests: sql`email_key ${ownKeys}`,
    email_changes: sql`client_id ${ownedRows}`,
    former_emails: sql`client_id ${ownedRows}`,
    coin_references: sql`attempt_id in (select id from payment_attempts where order_id in (${orders}))`,
    webhook_events: sql`client_id ${ownedRows}`,
    webhook_deliveries: sql`event_id in (select id from webhook_events where client_id ${ownedRows})`,
  }
}

async function owned({ db }: DbContext, table: string, condition: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${condition} order by 1, 2`.execute(db)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(readable)))
}

/** Formats a column: the password hash becomes `has_password`, instants become ISO 8601. */
function readable([name, value]: [string, Value]): [string, Value] {
  if (name === "password_hash") return ["has_password", value !== null]
  const isInstant = INSTANTS.includes(name) && typeof value === "number"
  return [name, isInstant ? new Date(value).toISOString() : value]
}
