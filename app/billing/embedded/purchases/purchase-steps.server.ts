import type { StepRepository } from "~/billing/orders/purchase-steps"
import type { Day } from "~/domain/calendar"
import { type PurchaseStep, purchaseSteps, type StepCount } from "~/domain/orders/purchase-step"
import type { PurchaseStepRow } from "../db/schema/schema"
import { type DbContext, guarded } from "../db/transaction.server"

/** The sums of purchase steps in the embedded database. */
export function stepsOf(ctx: DbContext): StepRepository {
  return guarded<StepRepository>(ctx, {
    addSteps,
    steps: (db, from, to) => steps(db, { from, to }),
    deleteStepsBefore,
  })
}

/** Bind parameters of a statement are limited; a row has six. */
const ROWS_AT_ONCE = 500

async function addSteps({ db }: DbContext, counts: readonly StepCount[]): Promise<void> {
  // In the order of the key in every instance, so that two of them cannot deadlock.
  const rows = counts.map(rowOf).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await db
      .insertInto("purchase_steps")
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .columns(["day", "step", "plan", "gateway", "locale"])
          .doUpdateSet((row) => ({ count: row("purchase_steps.count", "+", row.ref("excluded.count")) })),
      )
      .execute()
}

async function steps({ db }: DbContext, { from, to }: { from: Day; to: Day }): Promise<readonly StepCount[]> {
  const rows = await db
    .selectFrom("purchase_steps")
    .selectAll()
    .where("day", ">=", from)
    .where("day", "<=", to)
    .execute()
  return rows
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ plan, gateway, ...row }) => ({ ...row, plan: plan || null, gateway: gateway || null }))
}

async function deleteStepsBefore({ db }: DbContext, day: Day): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("purchase_steps").where("day", "<", day).executeTakeFirst()
  return Number(numDeletedRows)
}

function rowOf({ plan, gateway, ...count }: StepCount): PurchaseStepRow {
  return { ...count, plan: plan ?? "", gateway: gateway ?? "" }
}

/** A text that sorts rows by day, step, plan, gateway and language. */
function keyOf({ day, step, plan, gateway, locale }: PurchaseStepRow): string {
  return [day, placeOf(step), plan, gateway, locale].join("\n")
}

function placeOf(step: PurchaseStep): number {
  return purchaseSteps.indexOf(step)
}
