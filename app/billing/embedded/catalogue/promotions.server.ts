import { sql } from "kysely"
import { PromotionRefusedError } from "~/billing/billing"
import { type Discount, isUsedByPerson, type Promotion } from "~/domain/catalogue/promotion"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { PromotionCodeRow, PromotionRow } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"
import { normalizeCode } from "./normalize-code"
import { cyclesOf, idsIn, type PromotionDefinition, renewalsOf, serializeRenewals } from "./promotion-schema"

/** Finds a promotion by its code, or by one of its one-time codes (spaces and case ignored); null if unknown. */
export async function promotion(ctx: DbContext, code: string): Promise<Promotion | null> {
  const key = normalizeCode(code)
  const row = await ctx.db.selectFrom("promotions").selectAll().where("code_key", "=", key).executeTakeFirst()
  if (row) return publicPromotion(row)
  const found = await oneTimeCode(ctx, key)
  return found ? oneTimePromotion(found) : null
}

function publicPromotion(row: PromotionRow): Promotion {
  const { maxUses, ...listed } = definitionOf(row)
  return {
    ...listed,
    remainingUses: maxUses === null ? null : Math.max(0, maxUses - row.uses),
    ...(row.off_since !== null && { isOff: true }),
  }
}

/** The promotion of a one-time code, under that code and with its single use. */
function oneTimePromotion({ one_time_key, order_id, withdrawn_at, ...row }: OneTimeRow): Promotion {
  const shared = publicPromotion(row)
  const left = order_id === null ? 1 : 0
  return {
    ...shared,
    code: one_time_key,
    remainingUses: Math.min(left, shared.remainingUses ?? left),
    ...(withdrawn_at !== null && { isOff: true }),
  }
}

type OneTimeRow = PromotionRow &
  Pick<PromotionCodeRow, "order_id" | "withdrawn_at"> & { readonly one_time_key: string }

async function oneTimeCode({ db }: DbContext, key: string): Promise<OneTimeRow | undefined> {
  return db
    .selectFrom("promotion_codes")
    .innerJoin("promotions", "promotions.code_key", "promotion_codes.promotion_key")
    .selectAll("promotions")
    .select("promotion_codes.code_key as one_time_key")
    .select(["promotion_codes.order_id", "promotion_codes.withdrawn_at"])
    .where("promotion_codes.code_key", "=", key)
    .executeTakeFirst()
}

export async function promotionUses(ctx: DbContext, code: string): Promise<number> {
  const key = normalizeCode(code)
  const row = await ctx.db
    .selectFrom("promotions")
    .select("uses")
    .where("code_key", "=", key)
    .executeTakeFirst()
  if (row) return row.uses
  const found = await oneTimeCode(ctx, key)
  return found && found.order_id !== null ? 1 : 0
}

export async function promotionUsesBy(ctx: DbContext, customerId: string, code: string): Promise<number> {
  return usesBy(ctx, { key: (await promotionKeys(ctx, code)).key, customerId })
}

/** The keys of a promotion and, unless it is the promotion's own code, of the one-time code. */
export type PromotionKeys = { readonly key: string; readonly oneTime: string | null }

/** What a code stands for. A promotion's own code comes before a one-time code that is spelt alike. */
export async function promotionKeys({ db }: DbContext, code: string): Promise<PromotionKeys> {
  const key = normalizeCode(code)
  const row = await db
    .selectFrom("promotion_codes")
    .select("promotion_key")
    .where("code_key", "=", key)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("promotions").select("code_key").where("code_key", "=", key))),
    )
    .executeTakeFirst()
  return row ? { key: row.promotion_key, oneTime: key } : { key, oneTime: null }
}

/** The keys of an order's code, by the line of its discount. */
export async function promotionKeysOfOrder(
  { db }: DbContext,
  { id, promo_key: key }: { readonly id: string; readonly promo_key: string },
): Promise<PromotionKeys> {
  const row = await db
    .selectFrom("order_lines")
    .innerJoin("promotion_codes", "promotion_codes.code_key", "order_lines.code")
    .select("promotion_codes.code_key")
    .where("order_lines.order_id", "=", id)
    .where("promotion_codes.promotion_key", "=", key)
    .executeTakeFirst()
  return { key, oneTime: row?.code_key ?? null }
}

/** What is redeemed: a promotion by its key, or by a one-time code, for an order that is written already. */
type Redeemed = PromotionKeys & { readonly customerId: string; readonly orderId: string }

/**
 * Counts one use of a promotion. Throws `PromotionRefusedError` if it is deleted, switched off or has no uses left, for all
 * or for this customer, and if another order has the one-time code.
 */
export async function redeemPromotion(ctx: DbContext, redeemed: Redeemed): Promise<void> {
  const { key, oneTime, customerId, orderId } = redeemed
  const row = await ctx.db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("code_key", "=", key)
    .where("off_since", "is", null)
    .where((row) => row.or([row("max_uses", "is", null), row("uses", "<", row.ref("max_uses"))]))
    .returning("uses_per_person")
    .executeTakeFirst()
  if (!row) throw new PromotionRefusedError("used-up", key)
  if (oneTime !== null && !(await takeCode(ctx, { oneTime, orderId })))
    throw new PromotionRefusedError("used-up", oneTime)
  const usesPerPerson = row.uses_per_person ?? undefined
  // Counted after the update, whose lock lets orders of one promotion pass one after the other.
  if (usesPerPerson === undefined) return
  if (isUsedByPerson({ usesPerPerson }, await usesBy(ctx, { key, customerId, besides: orderId })))
    throw new PromotionRefusedError("used-by-person", key)
}

type UsesBy = { readonly key: string; readonly customerId: string; readonly besides?: string }

/** Orders of a customer that use a promotion, which those that came to nothing do not. */
async function usesBy({ db }: DbContext, { key, customerId, besides = "" }: UsesBy): Promise<number> {
  const { count } = await db
    .selectFrom("orders")
    .select((row) => row.fn.countAll<string | number>().as("count"))
    .where("client_id", "=", customerId)
    .where("promo_key", "=", key)
    .where("status", "not in", unpaidFinalStatuses)
    .where("id", "!=", besides)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Taken = { readonly oneTime: string; readonly orderId: string }

/** Takes a one-time code for an order; false if another has it, or it was withdrawn. */
async function takeCode({ db }: DbContext, { oneTime, orderId }: Taken): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("promotion_codes")
    .set({ order_id: orderId })
    .where("code_key", "=", oneTime)
    .where("order_id", "is", null)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns the use of an order that was cancelled, expired or flagged as fraud, and its one-time code. */
export async function releasePromotion({ db }: DbContext, key: string, orderId: string): Promise<void> {
  await db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "-", 1) }))
    .where("code_key", "=", key)
    .where("uses", ">", 0)
    .execute()
  await db.updateTable("promotion_codes").set({ order_id: null }).where("order_id", "=", orderId).execute()
}

/**
 * Counts a use for an order paid after its use was released; may exceed `max_uses`, as the discount was granted. Its one-time
 * code is taken again, unless another order has it by now.
 */
export async function redeemReleasedPromotion(
  ctx: DbContext,
  { id, promo_key }: { readonly id: string; readonly promo_key: string },
): Promise<void> {
  await ctx.db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("code_key", "=", promo_key)
    .execute()
  const { oneTime } = await promotionKeysOfOrder(ctx, { id, promo_key })
  if (oneTime !== null) await takeCode(ctx, { oneTime, orderId: id })
}

/** Lists all promotions in catalogue order. */
export async function allPromotions({ db }: DbContext): Promise<readonly PromotionDefinition[]> {
  return (await db.selectFrom("promotions").selectAll().orderBy("position").execute()).map(definitionOf)
}

/**
 * Replaces all promotions. Those in both the old and the new list keep their use count, and stay off if they are; one that was deleted
 * before has the uses that orders have made of it.
 */
export async function replacePromotions(
  ctx: DbContext,
  promotions: readonly PromotionDefinition[],
): Promise<void> {
  const { db } = ctx
  const keys = promotions.map(({ code }) => normalizeCode(code))
  const gone = db.deleteFrom("promotions")
  await (keys.length > 0 ? gone.where("code_key", "not in", keys) : gone).execute()
  if (keys.length === 0) return
  const uses = await usesInOrders(ctx, keys)
  await db
    .insertInto("promotions")
    .values(promotions.map((it, position) => promotionRow(it, position, uses)))
    .onConflict((conflict) =>
      conflict.column("code_key").doUpdateSet({
        position: sql.ref("excluded.position"),
        code: sql.ref("excluded.code"),
        product_ids: sql.ref("excluded.product_ids"),
        starts_on: sql.ref("excluded.starts_on"),
        ends_on: sql.ref("excluded.ends_on"),
        basis_points: sql.ref("excluded.basis_points"),
        amount: sql.ref("excluded.amount"),
        currency: sql.ref("excluded.currency"),
        max_uses: sql.ref("excluded.max_uses"),
        renewals: sql.ref("excluded.renewals"),
        cycles: sql.ref("excluded.cycles"),
        uses_per_person: sql.ref("excluded.uses_per_person"),
      }),
    )
    .execute()
}

/** How many orders use each of the keys that no promotion has: those that came to nothing have returned their use. */
export async function usesInOrders(
  { db }: DbContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("orders")
    .select("promo_key")
    .select((row) => row.fn.countAll<string | number>().as("count"))
    .where("promo_key", "in", keys)
    .where("promo_key", "not in", ({ selectFrom }) => selectFrom("promotions").select("code_key"))
    .where("status", "not in", unpaidFinalStatuses)
    .groupBy("promo_key")
    .execute()
  return new Map(rows.flatMap(({ promo_key: key, count }) => (key === null ? [] : [[key, Number(count)]])))
}

/** Row of a new promotion, which is on. `uses`: by key, from when there was one of its code before. */
export function promotionRow(
  definition: PromotionDefinition,
  position: number,
  uses: ReadonlyMap<string, number>,
): PromotionRow {
  const key = normalizeCode(definition.code)
  return {
    ...definitionColumns(definition),
    code_key: key,
    position,
    uses: uses.get(key) ?? 0,
    off_since: null,
  }
}

type DefinitionColumns = Omit<PromotionRow, "code_key" | "position" | "uses" | "off_since">

/** The columns that a definition fills. The others are the promotion's own: its place, its uses, and whether it is off. */
export function definitionColumns({ discount, ...listed }: PromotionDefinition): DefinitionColumns {
  const fixed = discount.kind === "fixed" ? discount.amount : null
  return {
    code: listed.code,
    product_ids: listed.productIds.join(","),
    starts_on: listed.startsOn,
    ends_on: listed.endsOn,
    basis_points: discount.kind === "percentage" ? discount.basisPoints : null,
    amount: fixed?.minor ?? null,
    currency: fixed?.currency ?? null,
    max_uses: listed.maxUses,
    renewals: serializeRenewals(listed) || null,
    cycles: listed.cycles?.join(",") ?? null,
    uses_per_person: listed.usesPerPerson ?? null,
  }
}

/** The definition in a row. */
export function definitionOf(row: PromotionRow): PromotionDefinition {
  return {
    code: row.code,
    productIds: idsIn(row.product_ids),
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    discount: discountOf(row),
    maxUses: row.max_uses,
    ...renewalsOf(row.renewals),
    ...cyclesOf(idsIn(row.cycles ?? "")),
    ...(row.uses_per_person !== null && { usesPerPerson: row.uses_per_person }),
  }
}

function discountOf({ basis_points, amount, currency }: PromotionRow): Discount {
  if (amount !== null && currency !== null) return { kind: "fixed", amount: { minor: amount, currency } }
  return { kind: "percentage", basisPoints: basis_points ?? 0 }
}
