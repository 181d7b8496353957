import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const unmatchedPayments: Migration = { up }

/** One row for each payment that matches no order, whatever number of reports it had. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("unmatched_payments")
    .addColumn("id", "text", id)
    .addColumn("gateway", "text", required)
    // The attempt that its reports name, or the key of a report that names none.
    .addColumn("payment_key", "text", required)
    .addColumn("payment_id", "text")
    .addColumn("attempt_id", "text")
    .addColumn("reason", "text", required)
    .addColumn("detail", "text", required)
    .addColumn("currency", "text")
    .addColumn("gross", "bigint", required)
    .addColumn("refunded", "bigint", required)
    .addColumn("refund_left", "bigint")
    .addColumn("handled", "bigint", required)
    .addColumn("count", "bigint", required)
    .addColumn("first_at", "bigint", required)
    .addColumn("at", "bigint", required)
    .addColumn("state", "text", required)
    .addColumn("order_id", "text")
    .addColumn("client_id", "text")
    .addColumn("reference", "text")
    .addColumn("operator", "text")
    .addColumn("operator_reason", "text")
    .addColumn("handled_at", "bigint")
    .execute()
  await db.schema
    .createIndex("unmatched_payments_by_key")
    .unique()
    .on("unmatched_payments")
    .columns(["gateway", "payment_key"])
    .execute()
  await sql`create index open_unmatched_payments on unmatched_payments (first_at, id) where state = 'open'`.execute(
    db,
  )
  await sql`create index handled_unmatched_payments on unmatched_payments (at, id) where state <> 'open'`.execute(
    db,
  )
  for (const column of ["attempt_id", "order_id", "client_id"])
    await db.schema
      .createIndex(`unmatched_payments_by_${column}`)
      .on("unmatched_payments")
      .column(column)
      .execute()
  await insertReported(db)
}

type Reported = {
  gateway: string
  event_key: string
  reason: string
  attempt_id: string | null
  detail: string
  count: number
  first_at: number
  at: number
}

/** Summaries of reports with amounts, as earlier versions have written them: "paid 20.00 USD less 5.00 USD for attempt a1". */
const AMOUNTS = /^(\S+) (\d+)\.(\d\d) (EUR|GBP|USD)(?: less (\d+)\.(\d\d) \4)? for attempt /

async function insertReported(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Reported>`select * from unapplied_reports order by first_at, event_key`.execute(
    db,
  )
  const payments = new Map<string, [Reported, ...Reported[]]>()
  for (const row of rows) {
    const key = JSON.stringify([row.gateway, row.attempt_id ?? row.event_key])
    const reports = payments.get(key)
    if (reports) reports.push(row)
    else payments.set(key, [row])
  }
  for (const [at, reports] of [...payments.values()].entries())
    await insertPayment(db, `reported-${at + 1}`, reports)
}

async function insertPayment(
  db: Kysely<unknown>,
  paymentId: string,
  reports: readonly [Reported, ...Reported[]],
): Promise<void> {
  const [first] = reports
  const last = reports.at(-1) ?? first
  const known = reports.map(({ detail }) => amountsIn(detail)).filter((it) => it !== null)
  const currency = known[0]?.currency ?? null
  const added = known.filter((it) => it.currency === currency)
  const gross = Math.max(0, ...added.map((it) => it.gross))
  const refunded = Math.max(0, ...added.map((it) => (it.isWhole ? gross : it.refunded)))
  // Reports of a payment that nobody has paid so far.
  if (known.length === reports.length && gross === 0) return
  const count = reports.reduce((sum, report) => sum + Number(report.count), 0)
  const state = gross > 0 && refunded >= gross ? "returned" : "open"
  await sql`insert into unmatched_payments
    (id, gateway, payment_key, attempt_id, reason, detail, currency, gross, refunded, handled, count, first_at, at, state)
    values (${paymentId}, ${first.gateway}, ${first.attempt_id ?? first.event_key}, ${first.attempt_id}, ${last.reason},
      ${last.detail}, ${currency}, ${gross}, ${refunded}, 0, ${count}, ${first.first_at}, ${last.at}, ${state})`.execute(
    db,
  )
}

/** In minor units. `isWhole`: all of it was refunded. */
function amountsIn(detail: string) {
  const found = AMOUNTS.exec(detail)
  if (!found) return null
  const [, status, whole = "", cents = "", currency, refunded, refundedCents = ""] = found
  return {
    currency,
    gross: Number(whole + cents),
    refunded: Number((refunded ?? "0") + refundedCents),
    isWhole: status === "refunded" && refunded === undefined,
  }
}
