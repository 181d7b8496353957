import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type {
  CreditMovementListed,
  CustomerDetails,
  CustomerListItem,
  CustomerName,
  CustomerRange,
  PaymentListed,
  SignInListed,
} from "~/billing/customers/customer-admin"
import { money } from "~/domain/money/money"
import { customersByEmail, formerEmailsOf } from "../customers/former-emails.server"
import { isFormerKey } from "../customers/former-key.server"
import type { ClientRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { blocksOfCustomer } from "../fraud/block-list.server"
import { accountCreditOf } from "../ledger/customer-credit.server"
import { unmatchedIn } from "../payments/unmatched-payments.server"
import { listMails } from "./mail-log.server"
import { orderNumbersIn, ordersOfClient, servicesNamed } from "./order-search.server"
import { servicesOfClient } from "./service-queries.server"

/** See `CustomerAdmin.customers`. */
export async function listCustomers(
  { db }: DbContext,
  { limit, beyond, newer = false }: CustomerRange,
): Promise<readonly CustomerListItem[]> {
  const way = newer ? "asc" : "desc"
  const place = sql`(created_at, id)`
  const last = sql`(${beyond?.at ?? 0}, ${beyond?.id ?? ""})`
  const rows = await db
    .selectFrom("clients")
    .selectAll()
    .$if(beyond !== undefined, (query) =>
      query.where(newer ? sql<boolean>`${place} > ${last}` : sql<boolean>`${place} < ${last}`),
    )
    .orderBy("created_at", way)
    .orderBy("id", way)
    .limit(limit)
    .execute()
  return rows.map(itemOf)
}

/** See `CustomerAdmin.customersNamed`. */
export async function customersNamed(
  ctx: DbContext,
  { kind, text, isWhole, limit }: CustomerName,
): Promise<readonly CustomerListItem[]> {
  await setImmediate()
  const ids =
    kind === "email"
      ? await customersByEmail(ctx, { text, isWhole, limit })
      : await found[kind](ctx, text, limit)
  if (ids.length === 0) return []
  const rows = await ctx.db.selectFrom("clients").selectAll().where("id", "in", ids).execute()
  return rows.map(itemOf).toSorted((one, other) => other.createdAt - one.createdAt)
}

/** See `CustomerAdmin.emailsOf`. */
export async function emailsOf(
  { db }: DbContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom("clients").select(["id", "email"]).where("id", "in", ids).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

type Finder = (ctx: DbContext, text: string, limit: number) => Promise<string[]>

/** Ids of the customers. */
const found: { readonly [kind in Exclude<CustomerName["kind"], "email">]: Finder } = {
  async username(ctx, text, limit) {
    const services = await servicesNamed(ctx, text, limit)
    return services.map(({ client_id }) => client_id)
  },
  async order({ db }, text) {
    const rows = await db
      .selectFrom("orders")
      .select("client_id")
      .where("id", "in", orderNumbersIn(text))
      .execute()
    return rows.map(({ client_id }) => client_id)
  },
}

function itemOf(client: ClientRow): CustomerListItem {
  const { id, email, country, locale, created_at: createdAt } = client
  const hasEmail = !isFormerKey(client.email_key)
  return { id, email, hasEmail, country, locale, createdAt, isProven: client.email_proven_at !== null }
}

/** Rows of each list of a customer's page. */
const MAX_LISTED = 100

/** See `CustomerAdmin.customer`. */
export async function showCustomer(ctx: DbContext, id: string): Promise<CustomerDetails | null> {
  const client = await ctx.db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
  if (!client) return null
  const addresses = await addressesOf(ctx, id)
  return {
    ...itemOf(client),
    currency: client.currency,
    emailProvenAt: client.email_proven_at,
    formerEmails: await formerEmailsOf(ctx, id),
    passwordScope: client.password_hash === null ? null : client.password_scope,
    sessionsSince: client.sessions_since,
    signUpSessionsSince: client.sign_up_sessions_since,
    services: await servicesOfClient(ctx, id, MAX_LISTED),
    orders: await ordersOfClient(ctx, id, MAX_LISTED),
    payments: await paymentsOf(ctx, id),
    credit: await accountCreditOf(ctx, id),
    creditMovements: await creditMovementsOf(ctx, id, MAX_LISTED),
    mails: await listMails(ctx, { customerId: id, limit: MAX_LISTED }),
    signIns: await signInsOf(ctx, client.email_key),
    blocks: await blocksOfCustomer(ctx, { customerId: id, addresses }),
    addresses,
  }
}

async function addressesOf({ db }: DbContext, id: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("address")
    .where("client_id", "=", id)
    .where("address", "is not", null)
    .orderBy("placed_at", "desc")
    .limit(MAX_LISTED)
    .execute()
  return [...new Set(rows.flatMap(({ address }) => (address === null ? [] : [address])))]
}

async function paymentsOf({ db }: DbContext, id: string): Promise<readonly PaymentListed[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .select(["payments.amount", "payments.currency", "payments.gateway"])
    .select(["invoices.order_id as orderId", "payments.transaction_id as transactionId"])
    .select("payments.booked_at as bookedAt")
    .where("payments.client_id", "=", id)
    .orderBy("payments.booked_at", "desc")
    .limit(MAX_LISTED)
    .execute()
  const outside = await db
    .selectFrom("outside_payments")
    .innerJoin("invoices", "invoices.id", "outside_payments.invoice_id")
    .select(["outside_payments.amount", "outside_payments.currency"])
    .select(["invoices.order_id as orderId", "outside_payments.booked_at as bookedAt"])
    .where("invoices.client_id", "=", id)
    .orderBy("outside_payments.booked_at", "desc")
    .limit(MAX_LISTED)
    .execute()
  return [...rows, ...outside.map((row) => ({ ...row, gateway: null, transactionId: null }))]
    .map(({ amount, currency, ...row }) => ({ ...row, amount: money(Number(amount), currency) }))
    .toSorted((one, other) => Number(other.bookedAt) - Number(one.bookedAt))
    .slice(0, MAX_LISTED)
}

/** Entries of a customer's account credit, newest first. */
async function creditMovementsOf(
  { db }: DbContext,
  clientId: string,
  limit: number,
): Promise<readonly CreditMovementListed[]> {
  const rows = await db
    .selectFrom("credit_movements")
    .leftJoin("invoices", "invoices.id", "credit_movements.invoice_id")
    .leftJoin("order_refunds", "order_refunds.id", "credit_movements.grant_key")
    .select(["credit_movements.amount", "credit_movements.currency", "cause"])
    .select(["credit_movements.reason", "credit_movements.at", "grant_key"])
    .select((row) => row.fn.coalesce("invoices.order_id", "order_refunds.order_id").as("orderId"))
    .where("credit_movements.client_id", "=", clientId)
    .orderBy("credit_movements.at", "desc")
    .orderBy("credit_movements.id")
    .limit(limit)
    .execute()
  return rows.map(({ amount, currency, cause, grant_key, ...row }) => ({
    ...row,
    cause: unmatchedIn(grant_key) === null ? cause : "assigned",
    amount: money(Number(amount), currency),
  }))
}

async function signInsOf({ db }: DbContext, emailKey: string): Promise<readonly SignInListed[]> {
  return db
    .selectFrom("sign_in_requests")
    .select(["created_at as createdAt", "ended_at as endedAt"])
    .where("email_key", "=", emailKey)
    .orderBy("created_at", "desc")
    .limit(MAX_LISTED)
    .execute()
}
