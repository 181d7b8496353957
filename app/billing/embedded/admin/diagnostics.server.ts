import { type Expression, type SqlBool, sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import { DAY, HOUR, type Instant, SECOND } from "~/domain/calendar"
import { type ProductKind, planOf } from "~/domain/catalogue/catalogue"
import { currencies } from "~/domain/money/money"
import { paidStatuses } from "~/domain/orders/order-status"
import { products } from "../catalogue/catalogue.server"
import type { DbContext } from "../db/transaction.server"
import { hasSold } from "../documents/sold-lines.server"
import { brakeOn } from "../dunning/brake.server"
import { findImbalances } from "../ledger/ledger-check.server"
import { diagnoseDocuments } from "./document-check.server"
import { clockAhead } from "./sandbox-clock.server"

/** Maximum clock difference to the database in milliseconds; above it, orders expire at the wrong time. */
const MAX_OFF = 30 * SECOND

/** Checks of embedded billing: schema, catalogue, balances, clock and sign-up passwords. */
export async function diagnose(ctx: DbContext, now: Instant): Promise<readonly Diagnostic[]> {
  return [
    { ok: true, check: "reachable", message: "database reachable, schema up to date" },
    await listed(ctx, "plan", "plans"),
    await listed(ctx, "reseller", "reseller plans"),
    await accounts(ctx),
    await clock(ctx, now),
    await brake(ctx),
    ...(await documents(ctx)),
    await diagnoseDocuments(ctx),
    ...(await diagnoseAccess(ctx)),
    ...(await overdueServices(ctx, now)),
  ]
}

/** The numbers of invoices and credit notes, and whether every taxed order that was paid since the first one has its own. */
async function documents({ db, documents: policy }: DbContext): Promise<readonly Diagnostic[]> {
  const series = await db
    .selectFrom("document_numbers")
    .leftJoin("tax_documents as issued", (join) =>
      join
        .onRef("issued.kind", "=", "document_numbers.kind")
        .onRef("issued.year", "=", "document_numbers.year"),
    )
    .select(["document_numbers.kind", "document_numbers.year", "last", "skipped"])
    .select((row) => row.fn.count<number>("issued.number").as("count"))
    .groupBy(["document_numbers.kind", "document_numbers.year", "last", "skipped"])
    .execute()
  if (series.length === 0) return []
  const wrong = series.filter((it) => Number(it.last) - Number(it.skipped) !== Number(it.count))
  const first = await db
    .selectFrom("tax_documents")
    .select(["issued_at"])
    .orderBy("issued_on")
    .limit(1)
    .execute()
  const without = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("tax_documents", "tax_documents.order_id", "orders.id")
    .select("orders.id")
    .where("orders.tax", "is not", null)
    .where("invoices.paid_at", ">=", Number(first[0]?.issued_at ?? 0))
    .where("tax_documents.number", "is", null)
    // What was paid for an order that did not apply any more is account credit, and was never billed.
    .where(hasSold)
    .limit(NAMED)
    .execute()
  const problems = [
    ...wrong.map(
      ({ kind, year, last, skipped, count }) => `${kind} ${year}: ${count} of ${last - skipped} numbers`,
    ),
    ...without.map(({ id }) => `order ${id} is paid without an invoice`),
  ]
  return [
    {
      ok: problems.length === 0,
      check: "invoices and credit notes",
      message: problems.join("; ") || "numbered without gaps, one for each taxed order",
    },
    {
      ok: policy?.seller.name ? true : null,
      check: "seller on invoices",
      message:
        policy?.seller.name ??
        "has no name: set it in the console (Brand and texts: Seller on invoices), or documents.seller in the shop file",
    },
  ]
}

/** How long after its grace an unpaid service may be active: steps run in batches, and a panel may be down. */
const SUSPENDED_WITHIN = 1 * DAY
const NAMED = 5

/** Services that are active although neither their paid time nor anything else lets them run. */
async function overdueServices({ db, terms }: DbContext, now: Instant): Promise<readonly Diagnostic[]> {
  if (!terms) return []
  const rows = await db
    .selectFrom("services")
    .leftJoin("products", "products.id", "services.product_id")
    .select(["services.id", "services.paid_until"])
    .select((row) => row.fn.coalesce("products.grace_days", row.val(terms.graceDays)).as("grace"))
    .where("services.status", "=", "Active")
    .where("services.paid_until", "<", now - SUSPENDED_WITHIN)
    .where((row) =>
      row.or([
        row("services.not_before", "is", null),
        row("services.not_before", "<", now - SUSPENDED_WITHIN),
      ]),
    )
    .where((row) =>
      row.or([
        row("services.held_since", "is", null),
        row("services.held_since", "<", now - SUSPENDED_WITHIN - terms.holdHours * HOUR),
      ]),
    )
    .orderBy("services.paid_until")
    .execute()
  const overdue = rows.filter(
    ({ paid_until, grace }) => Number(paid_until) + Number(grace) * DAY < now - SUSPENDED_WITHIN,
  )
  const named = overdue.slice(0, NAMED).map(({ id }) => id)
  const more = overdue.length > NAMED ? ` and ${overdue.length - NAMED} more` : ""
  return [
    {
      ok: overdue.length === 0,
      check: "services past their end",
      message:
        overdue.length === 0
          ? "none active for longer than their grace"
          : `${overdue.length} active a day after their grace: ${named.join(", ")}${more}; see "services show NUMBER"`,
    },
  ]
}

/**
 * Counts accounts whose sign-up password does not cover all their paid orders. The email of such an account is not
 * verified. First check: older orders without a password id, which are out of scope. Second check: orders placed
 * without the sign-up password.
 */
export async function diagnoseAccess({ db }: DbContext): Promise<readonly Diagnostic[]> {
  const owners = (ordered: Expression<SqlBool>) =>
    db
      .selectFrom("clients")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("password_scope", "=", "sign-up")
      .where((row) =>
        row.exists(
          row
            .selectFrom("orders")
            .select("orders.id")
            .whereRef("orders.client_id", "=", "clients.id")
            .where("orders.status", "in", paidStatuses)
            .where(ordered),
        ),
      )
      .executeTakeFirstOrThrow()
  const unsaid = await owners(sql`orders.proven = 1 and orders.access_scope is null`)
  const others = await owners(
    // In brackets, since it is one condition of several.
    sql`(orders.access_scope = 'account' or (orders.proven = 0 and orders.access_scope is null))`,
  )
  return [
    inquiry(
      "orders out of sight",
      Number(unsaid.count),
      "with a sign-up password no longer see older orders; send them a sign-in link",
    ),
    inquiry(
      "sign-up passwords",
      Number(others.count),
      "have a sign-up password and orders placed without it: check who chose it; a sign-in link ends it",
    ),
  ]
}

function inquiry(check: string, count: number, message: string): Diagnostic {
  return {
    ok: count === 0 ? true : null,
    check,
    message: count === 0 ? "none" : `${count} accounts ${message}`,
  }
}

async function accounts(ctx: DbContext): Promise<Diagnostic> {
  const wrong = await findImbalances(ctx)
  return {
    ok: wrong.length === 0,
    check: "accounts",
    message: wrong.join("; ") || "balanced",
  }
}

/** Counts products per currency. A catalogue without plans is an error; one without reseller plans is not. */
async function listed(ctx: DbContext, kind: ProductKind, check: string): Promise<Diagnostic> {
  const all = await products(ctx, kind)
  const priced = currencies
    .map((currency) => ({ currency, count: all.filter((it) => planOf(it, currency)).length }))
    .filter(({ count }) => count > 0)
  const message = [
    `${all.length} in the catalogue`,
    ...priced.map((it) => `${it.count} sold in ${it.currency}`),
  ]
  const okWithout = kind === "plan" ? false : null
  return { ok: priced.length > 0 || okWithout, check, message: message.join(", ") }
}

async function clock(ctx: DbContext, now: Instant): Promise<Diagnostic> {
  const { db } = ctx
  const { rows } = await sql<{ now: string | Date }>`select current_timestamp as now`.execute(db)
  const off = Math.abs(instantOf(rows[0]?.now) - (now - (await clockAhead(ctx))))
  const message = off > MAX_OFF ? `${Math.round(off / SECOND)} s off` : "in sync"
  return { ok: off <= MAX_OFF, check: "clock", message }
}

/** Whether suspensions go on. Stopped, they wait for the operator's word. */
async function brake(ctx: DbContext): Promise<Diagnostic> {
  const on = await brakeOn(ctx)
  const message =
    on === null
      ? "going on"
      : `stopped since ${new Date(on.at).toISOString()}: ${on.detail} See "services release-brake"`
  return { ok: on === null, check: "suspensions", message }
}

/** Parses the database time. SQLite returns UTC as text without a time zone. */
function instantOf(text: string | Date | undefined): Instant {
  return typeof text === "string" ? Date.parse(`${text.replace(" ", "T")}Z`) : Number(text)
}
