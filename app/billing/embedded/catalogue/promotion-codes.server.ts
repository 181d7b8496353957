import { sql } from "kysely"
import type {
  CodeCounts,
  CodeRange,
  CodeState,
  NewCodes,
  OneTimeCode,
} from "~/billing/catalogue/promotion-admin"
import type { Instant } from "~/domain/calendar"
import { beginsWith, inByteOrder } from "../db/byte-order.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { normalizeCode } from "./normalize-code"

/** Rows of one statement: an engine takes a limited number of values. */
const AT_ONCE = 500

/** See `PromotionAdmin.addCodes`. */
export async function addCodes(ctx: DbContext, promotion: string, { codes, at }: NewCodes): Promise<boolean> {
  const key = normalizeCode(promotion)
  return inTransaction(ctx, async ({ db }) => {
    const known = await db
      .selectFrom("promotions")
      .select("code_key")
      .where("code_key", "=", key)
      .executeTakeFirst()
    if (!known) return false
    for (let first = 0; first < codes.length; first += AT_ONCE)
      await db
        .insertInto("promotion_codes")
        .values(
          codes.slice(first, first + AT_ONCE).map((code) => ({
            code_key: normalizeCode(code),
            promotion_key: key,
            created_at: at,
            order_id: null,
            withdrawn_at: null,
          })),
        )
        .execute()
    return true
  })
}

/** See `PromotionAdmin.codes`. */
export async function codes(
  ctx: DbContext,
  promotion: string,
  { state, beginning = "", after, limit }: CodeRange,
): Promise<readonly OneTimeCode[]> {
  const column = inByteOrder(ctx, "code_key")
  const rows = await ctx.db
    .selectFrom("promotion_codes")
    .leftJoin("orders", "orders.id", "promotion_codes.order_id")
    .selectAll("promotion_codes")
    .select("orders.placed_at")
    .where("promotion_codes.promotion_key", "=", normalizeCode(promotion))
    .$if(state !== undefined, (query) => query.where(isIn[state ?? "unused"]))
    .$if(beginning !== "", (query) => query.where(beginsWith(ctx, "code_key", normalizeCode(beginning))))
    .$if(after !== undefined, (query) => query.where(column, ">", normalizeCode(after ?? "")))
    .orderBy(column)
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    code: row.code_key,
    state: stateOf(row),
    createdAt: row.created_at,
    orderId: row.order_id,
    usedAt: row.placed_at,
    withdrawnAt: row.withdrawn_at,
  }))
}

function stateOf({
  order_id,
  withdrawn_at,
}: {
  readonly order_id: string | null
  readonly withdrawn_at: Instant | null
}): CodeState {
  if (order_id !== null) return "used"
  return withdrawn_at === null ? "unused" : "withdrawn"
}

const isIn: { readonly [state in CodeState]: ReturnType<typeof sql<boolean>> } = {
  unused: sql<boolean>`promotion_codes.order_id is null and promotion_codes.withdrawn_at is null`,
  used: sql<boolean>`promotion_codes.order_id is not null`,
  withdrawn: sql<boolean>`promotion_codes.order_id is null and promotion_codes.withdrawn_at is not null`,
}

/** See `PromotionAdmin.codeCounts`. */
export async function codeCounts({ db }: DbContext, promotion: string): Promise<CodeCounts> {
  const counted = await db
    .selectFrom("promotion_codes")
    .select((row) => [
      row.fn.countAll<string | number>().filterWhere(isIn.unused).as("unused"),
      row.fn.countAll<string | number>().filterWhere(isIn.used).as("used"),
      row.fn.countAll<string | number>().filterWhere(isIn.withdrawn).as("withdrawn"),
    ])
    .where("promotion_key", "=", normalizeCode(promotion))
    .executeTakeFirstOrThrow()
  const { unused, used, withdrawn } = counted
  return { unused: Number(unused), used: Number(used), withdrawn: Number(withdrawn) }
}

/** See `PromotionAdmin.withdrawCodes`. */
export async function withdrawCodes(
  ctx: DbContext,
  promotion: string,
  { beginning, at }: { readonly beginning: string; readonly at: Instant },
): Promise<number> {
  const { numUpdatedRows } = await ctx.db
    .updateTable("promotion_codes")
    .set({ withdrawn_at: at })
    .where("promotion_key", "=", normalizeCode(promotion))
    .$if(beginning.trim() !== "", (query) =>
      query.where(beginsWith(ctx, "code_key", normalizeCode(beginning))),
    )
    .where("order_id", "is", null)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
