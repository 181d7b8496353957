import { BillingError } from "~/billing/billing"
import type { NewPriceMoveRun, PriceMoveEnd, PriceMoveRun, PriceMoves } from "~/billing/services/price-moves"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import { mayDo } from "~/domain/operator"
import { PRICE_NOTICE } from "~/domain/renewal"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { PriceMoveRow } from "../db/schema/operator-rows"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { moveBatch } from "./price-moves.server"

/** Announcements of another price to all services of a plan, in the embedded database. */
export function priceMovesOf(ctx: DbContext): PriceMoves {
  return guarded<PriceMoves>(ctx, { begin, announceNext, find, ofProduct })
}

async function begin(ctx: DbContext, run: NewPriceMoveRun): Promise<void> {
  const { id, productId, cycle, price, from, reason, operatorId, operator, at } = run
  const problem = problemOf(ctx, from, at)
  if (problem !== null) throw new BillingError("refused", refusals[problem])
  await inTransaction(ctx, async (tx) => {
    const added = await tx.db
      .insertInto("price_moves")
      .values({
        id,
        product_id: productId,
        cycle,
        currency: price.currency,
        price: price.minor,
        starts_at: from,
        reason,
        operator_id: operatorId,
        operator,
        at,
        place: "",
        services: 0,
        unpriced: 0,
        ended_at: null,
        problem: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst()
    if (added) await enqueueJob(tx, { topic: "price-move", subject: id, at })
  })
}

const refusals = {
  "day-too-near": "Another price needs a notice of at least 30 days",
  "no-mail": "Another price needs a notice by mail, and the shop sends none",
} as const

function problemOf({ mail }: DbContext, from: Instant, at: Instant): keyof typeof refusals | null {
  if (!isSentBy(mail, "price-announced")) return "no-mail"
  return from < at + PRICE_NOTICE ? "day-too-near" : null
}

/** What was announced, and the place behind it, are one transaction: after a crash, or of two workers, each service is announced once. */
function announceNext(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const run = await rowOf(tx, id)
    if (!run || run.ended_at !== null) return false
    return announceBatch(tx, run, at)
  })
}

async function announceBatch(tx: DbContext, run: PriceMoveRow, at: Instant): Promise<boolean> {
  const problem = (await isAllowed(tx, run)) ? problemOf(tx, run.starts_at, at) : "not-allowed"
  if (problem !== null) return end(tx, run, { problem, at })
  const { last, ...batch } = await moveBatch(tx, moveIn(run), { after: run.place, at })
  if (last === null) return end(tx, run, { problem: null, at })
  await update(tx, run, {
    place: last,
    services: Number(run.services) + batch.services,
    unpriced: Number(run.unpriced) + batch.unpriced,
  })
  return true
}

/** A role may be taken away while a run goes on. The admin CLI may do everything. */
async function isAllowed({ db }: DbContext, { operator_id }: PriceMoveRow): Promise<boolean> {
  if (operator_id === null) return true
  const operator = await db
    .selectFrom("operators")
    .select("role")
    .where("id", "=", operator_id)
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  return operator !== undefined && mayDo(operator.role, "move-price")
}

type End = { readonly problem: PriceMoveEnd | null; readonly at: Instant }

async function end(tx: DbContext, run: PriceMoveRow, { problem, at }: End): Promise<false> {
  await update(tx, run, { ended_at: at, problem })
  // The admin CLI has not claimed it.
  await tx.db.deleteFrom("outbox").where("topic", "=", "price-move").where("subject", "=", run.id).execute()
  return false
}

async function update(
  { db }: DbContext,
  { id, place }: PriceMoveRow,
  changes: Partial<PriceMoveRow>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("price_moves")
    .set(changes)
    .where("id", "=", id)
    .where("place", "=", place)
    .where("ended_at", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Price move ${id}`)
}

function rowOf({ db }: DbContext, id: string): Promise<PriceMoveRow | undefined> {
  return db.selectFrom("price_moves").selectAll().where("id", "=", id).executeTakeFirst()
}

async function find(ctx: DbContext, id: string): Promise<PriceMoveRun | null> {
  const row = await rowOf(ctx, id)
  return row ? runOf(row) : null
}

async function ofProduct(
  { db }: DbContext,
  productId: string,
  limit: number,
): Promise<readonly PriceMoveRun[]> {
  const rows = await db
    .selectFrom("price_moves")
    .selectAll()
    .where("product_id", "=", productId)
    .orderBy("at", "desc")
    .limit(limit)
    .execute()
  return rows.map(runOf)
}

function moveIn({ product_id: productId, cycle, price, currency, starts_at: from, reason }: PriceMoveRow) {
  return { services: { productId, cycle }, price: money(price, currency), from, reason }
}

function runOf(row: PriceMoveRow): PriceMoveRun {
  return {
    id: row.id,
    productId: row.product_id,
    cycle: row.cycle,
    price: money(row.price, row.currency),
    from: row.starts_at,
    reason: row.reason,
    operatorId: row.operator_id,
    operator: row.operator,
    at: row.at,
    services: Number(row.services),
    unpriced: Number(row.unpriced),
    endedAt: row.ended_at,
    problem: row.problem,
  }
}
