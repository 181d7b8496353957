import { BillingError } from "~/billing/billing"
import type { NewPriceMoveRun, PriceMoveEnd, PriceMoveRun, PriceMoves } from "~/billing/services/price-moves"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { mayDo } from "~/domain/operators/operator"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { PriceMoveRow } from "../db/schema/operator-rows"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { type Batch, type BatchStart, keepBatch, moveBatch } from "./price-moves.server"

/** Runs that announce another price to all services of a plan, or take one back, in the embedded database. */
export function priceMovesOf(ctx: DbContext): PriceMoves {
  return guarded<PriceMoves>(ctx, { begin, goOn, find, ofProduct })
}

async function begin(ctx: DbContext, run: NewPriceMoveRun): Promise<"begun" | "changed"> {
  const { id, kind, productId, cycle, currency, price, from, reason, operatorId, operator, at } = run
  const problem = problemOf(ctx, { kind, starts_at: from }, at)
  if (problem !== null) throw new BillingError("refused", refusals[problem])
  return inTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId)
    const [newest] = await ofProduct(tx, productId, 1)
    if (isOvertaken(run, newest)) return "changed"
    const added = await tx.db
      .insertInto("price_moves")
      .values({
        id,
        kind,
        product_id: productId,
        cycle,
        currency,
        price: price?.minor ?? null,
        starts_at: from,
        reason,
        operator_id: operatorId,
        operator,
        // Clocks of several instances differ: the one that is begun last is the newest all the same.
        at: newest ? Math.max(at, newest.at + 1) : at,
        place: "",
        services: 0,
        unpriced: 0,
        ended_at: null,
        problem: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst()
    if (!added) return "begun"
    await endOpposite(tx, run)
    await enqueueJob(tx, { topic: "price-move", subject: id, at })
    return "begun"
  })
}

/** Of two operators who begin one of a product the second waits, and finds that of the first. The row is locked until the end. */
async function lockProduct({ db }: DbContext, productId: string): Promise<void> {
  await db
    .insertInto("cursors")
    .values({ name: `price-moves ${productId}`, place: "" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ place: row.ref("cursors.place") })),
    )
    .execute()
}

/** Somebody else has begun one that the operator had not seen. */
function isOvertaken({ id, newestBefore }: NewPriceMoveRun, newest: PriceMoveRun | undefined): boolean {
  return newestBefore !== undefined && newest?.id !== id && (newest?.id ?? null) !== newestBefore
}

const opposites = {
  announcement: { kind: "return", problem: "announced-again" },
  return: { kind: "announcement", problem: "taken-back" },
} as const

/** The later of two runs goes through all services, so it undoes what the former has done so far. */
async function endOpposite(
  { db }: DbContext,
  { kind, productId, cycle, currency, from, at }: NewPriceMoveRun,
): Promise<void> {
  const opposite = opposites[kind]
  await db
    .updateTable("price_moves")
    .set({ ended_at: at, problem: opposite.problem })
    .where("product_id", "=", productId)
    .where("kind", "=", opposite.kind)
    .where("cycle", "=", cycle)
    .where("currency", "=", currency)
    .where("starts_at", "=", from)
    .where("ended_at", "is", null)
    .execute()
}

const refusals = {
  "day-too-near": "Another price needs a notice of at least 30 days",
  "day-come": "A price is taken back before its first day",
  "no-mail": "Another price needs a notice by mail, and the shop sends none",
} as const

function problemOf(
  { mail }: DbContext,
  { kind, starts_at: from }: Pick<PriceMoveRow, "kind" | "starts_at">,
  at: Instant,
): keyof typeof refusals | null {
  if (kind === "return") return from <= at ? "day-come" : null
  if (!isSentBy(mail, "price-announced")) return "no-mail"
  return from < at + PRICE_NOTICE ? "day-too-near" : null
}

/** What was done, and the place behind it, are one transaction: after a crash, or of two workers, each service is treated once. */
function goOn(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const run = await rowOf(tx, id)
    if (!run || run.ended_at !== null) return false
    return treatBatch(tx, run, at)
  })
}

async function treatBatch(tx: DbContext, run: PriceMoveRow, at: Instant): Promise<boolean> {
  const problem = (await isAllowed(tx, run)) ? problemOf(tx, run, at) : "not-allowed"
  if (problem !== null) return end(tx, run, { problem, at })
  const { last, ...batch } = await batchOf(tx, run, { after: run.place, at })
  if (last === null) return end(tx, run, { problem: null, at })
  await update(tx, run, {
    place: last,
    services: Number(run.services) + batch.services,
    unpriced: Number(run.unpriced) + batch.unpriced,
  })
  return true
}

function batchOf(
  tx: DbContext,
  { product_id: productId, cycle, currency, price, starts_at: from, reason }: PriceMoveRow,
  start: BatchStart,
): Promise<Batch> {
  const services = { productId, cycle }
  return price === null
    ? keepBatch(tx, { services, currency, from, reason }, start)
    : moveBatch(tx, { services, price: money(price, currency), from, reason }, start)
}

/** A role may be taken away while a run goes on. The admin CLI may do everything. */
async function isAllowed({ db }: DbContext, { kind, operator_id }: PriceMoveRow): Promise<boolean> {
  if (operator_id === null) return true
  const operator = await db
    .selectFrom("operators")
    .select("role")
    .where("id", "=", operator_id)
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  return operator !== undefined && mayDo(operator.role, kind === "return" ? "keep-price" : "move-price")
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
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
  return rows.map(runOf)
}

function runOf(row: PriceMoveRow): PriceMoveRun {
  return {
    ...priceOf(row),
    id: row.id,
    productId: row.product_id,
    cycle: row.cycle,
    currency: row.currency,
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

function priceOf({ currency, price }: PriceMoveRow) {
  return price === null
    ? ({ kind: "return", price } as const)
    : ({ kind: "announcement", price: money(price, currency) } as const)
}
