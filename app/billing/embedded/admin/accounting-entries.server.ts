import { type RawBuilder, type SqlBool, sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type {
  Accounting,
  AccountingEntry,
  AccountingPage,
  AccountingSpan,
} from "~/billing/documents/accounting"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { inByteOrder } from "../db/byte-order.server"
import type { AccountCreditMovementRow, PaymentRow, UnmatchedPaymentRow } from "../db/schema/payment-rows"
import type { DbContext, Operations } from "../db/transaction.server"
import { unmatchedIn } from "../payments/unmatched-payments.server"

/** The place of an entry in the order of reading. */
type EntryPosition = { readonly at: Instant; readonly id: string }
type Placed = { readonly place: EntryPosition; readonly entry: AccountingEntry }
type Range = AccountingSpan & { readonly after: EntryPosition | null; readonly limit: number }

/** Entries of the payment and the credit ledger, merged: see `Accounting.accountingEntries`. */
export const accountingEntries: Operations<Accounting>["accountingEntries"] = async (
  ctx,
  span,
  { after, limit },
) => {
  const last = after === null ? null : placeIn(after)
  // One more than the page has, and the one that is read again.
  const range = { ...span, after: last, limit: limit + 2 }
  const found = [
    ...(await payments(ctx, range)),
    ...(await outsidePayments(ctx, range)),
    ...(await creditMovements(ctx, range)),
  ]
  const unread = found.filter(({ place }) => last === null || isAfter(place, last))
  return pageOf(unread.toSorted(byPlace), limit)
}

function pageOf(placed: readonly Placed[], limit: number): AccountingPage {
  const page = placed.slice(0, limit)
  const last = page.at(-1)
  const next = last && placed.length > limit ? `${last.place.at} ${last.place.id}` : null
  return { entries: page.map(({ entry }) => entry), next }
}

function placeIn(text: string): EntryPosition {
  const [, at, id] = /^(\d{1,16}) (\S{1,64})$/.exec(text) ?? []
  if (!at || !id) throw new BillingError("refused", "Not a place in the ledgers")
  return { at: Number(at), id }
}

function byPlace({ place: one }: Placed, { place: other }: Placed): number {
  return isAfter(one, other) ? 1 : -1
}

function isAfter(one: EntryPosition, other: EntryPosition): boolean {
  return one.at > other.at || (one.at === other.at && one.id > other.id)
}

/** Follows the id of a movement in the place of its account credit, if the payment that it came from is before it. */
const CREDITED = "-credited"

/** `id`: in the order of bytes, as `byPlace` compares them. */
type Columns = { readonly at: string; readonly id: RawBuilder<string> }

/**
 * What begins at the instant of the last entry is read again, but for the entries before it; the last itself too, since its movement
 * may have another one.
 */
function isBehind(after: EntryPosition | null, { at, id }: Columns): RawBuilder<SqlBool> {
  if (after === null) return sql<SqlBool>`true`
  const last = after.id.replace(CREDITED, "")
  return sql<SqlBool>`(${sql.ref(at)} > ${after.at} or ${id} >= ${last})`
}

async function payments(ctx: DbContext, { from, until, after, limit }: Range): Promise<Placed[]> {
  const id = inByteOrder(ctx, "payments.id")
  const rows = await ctx.db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .select(["payments.id", "payments.gateway", "payments.transaction_id", "payments.amount"])
    .select(["payments.currency", "payments.booked_at as at", "invoices.order_id"])
    .where("payments.booked_at", ">=", after?.at ?? from)
    .where("payments.booked_at", "<", until)
    .where(isBehind(after, { at: "payments.booked_at", id }))
    .orderBy("payments.booked_at")
    .orderBy(id)
    .limit(limit)
    .execute()
  return rows.map(paid)
}

type PaidRow = Pick<PaymentRow, "id" | "amount" | "currency" | "transaction_id"> & {
  readonly gateway: GatewayId | null
  readonly at: Instant
  readonly order_id: string
}

function paid({ id, at, amount, currency, gateway, transaction_id, order_id }: PaidRow): Placed {
  return {
    place: { at, id },
    entry: {
      at,
      kind: amount < 0 ? "refund" : "payment",
      cause: null,
      gateway,
      transactionId: transaction_id,
      orderId: order_id,
      amount: money(Number(amount), currency),
    },
  }
}

/** Money that came outside the gateways, or was paid back there. */
async function outsidePayments(ctx: DbContext, { from, until, after, limit }: Range): Promise<Placed[]> {
  const id = inByteOrder(ctx, "outside_payments.id")
  const rows = await ctx.db
    .selectFrom("outside_payments")
    .innerJoin("invoices", "invoices.id", "outside_payments.invoice_id")
    .select(["outside_payments.id", "outside_payments.amount", "outside_payments.currency"])
    .select(["outside_payments.booked_at as at", "invoices.order_id"])
    .where("outside_payments.booked_at", ">=", after?.at ?? from)
    .where("outside_payments.booked_at", "<", until)
    .where(isBehind(after, { at: "outside_payments.booked_at", id }))
    .orderBy("outside_payments.booked_at")
    .orderBy(id)
    .limit(limit)
    .execute()
  return rows.map((row) => paid({ ...row, gateway: null, transaction_id: null }))
}

async function creditMovements(ctx: DbContext, { from, until, after, limit }: Range): Promise<Placed[]> {
  const id = inByteOrder(ctx, "credit_movements.id")
  const rows = await ctx.db
    .selectFrom("credit_movements")
    .leftJoin("invoices", "invoices.id", "credit_movements.invoice_id")
    .leftJoin("order_refunds", "order_refunds.id", "credit_movements.grant_key")
    .select(["credit_movements.id", "credit_movements.cause", "credit_movements.amount"])
    .select(["credit_movements.currency", "credit_movements.at", "grant_key"])
    // Credit that was refunded for money from elsewhere comes from no invoice; its key is that of the refund.
    .select((row) => row.fn.coalesce("invoices.order_id", "order_refunds.order_id").as("order_id"))
    .where("credit_movements.at", ">=", after?.at ?? from)
    .where("credit_movements.at", "<", until)
    .where(isBehind(after, { at: "credit_movements.at", id }))
    .orderBy("credit_movements.at")
    .orderBy(id)
    .limit(limit)
    .execute()
  const assigned = await assignedPayments(ctx, rows)
  return rows.flatMap((row) => {
    const payment = assigned.get(unmatchedIn(row.grant_key) ?? "")
    return payment ? withPayment(creditIn(row), payment) : [creditIn(row)]
  })
}

type MovementRow = Omit<
  AccountCreditMovementRow,
  "client_id" | "invoice_id" | "source_invoice_id" | "reason"
> & {
  readonly order_id: string | null
}

function creditIn({ id, at, cause, amount, currency, order_id }: MovementRow): Placed {
  return {
    place: { at, id },
    entry: {
      at,
      kind: "credit",
      cause,
      gateway: null,
      transactionId: null,
      orderId: order_id,
      amount: money(Number(amount), currency),
    },
  }
}

type AssignedPayment = Pick<UnmatchedPaymentRow, "gateway" | "payment_id">

/** The payments without an order that account credit came from, by their ids. */
async function assignedPayments(
  { db }: DbContext,
  rows: readonly MovementRow[],
): Promise<ReadonlyMap<string, AssignedPayment>> {
  const ids = rows.flatMap(({ grant_key }) => unmatchedIn(grant_key) ?? [])
  if (ids.length === 0) return new Map()
  const payments = await db
    .selectFrom("unmatched_payments")
    .select(["id", "gateway", "payment_id"])
    .where("id", "in", ids)
    .execute()
  return new Map(payments.map(({ id, ...payment }) => [id, payment]))
}

/** Credit that a payment without an order was assigned as: that payment has no other entry. */
function withPayment({ place, entry }: Placed, { gateway, payment_id }: AssignedPayment): Placed[] {
  return [
    { place, entry: { ...entry, kind: "payment", cause: null, gateway, transactionId: payment_id } },
    { place: { ...place, id: `${place.id}${CREDITED}` }, entry: { ...entry, cause: "assigned" } },
  ]
}
