import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Discount, Promotion } from "~/domain/promotion"
import type { PromotionRow } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"
import { normalizeCode } from "./normalize-code"
import { idsIn, type PromotionDefinition, renewalsOf, serializeRenewals } from "./promotion-schema"

/** Finds a promotion by its code (spaces and case ignored); null if unknown. */
export async function promotion({ db }: DbContext, code: string): Promise<Promotion | null> {
  const row = await db
    .selectFrom("promotions")
    .selectAll()
    .where("code_key", "=", normalizeCode(code))
    .executeTakeFirst()
  if (!row) return null
  const { maxUses, ...listed } = listedOf(row)
  return { ...listed, remainingUses: maxUses === null ? null : Math.max(0, maxUses - row.uses) }
}

export async function promotionUses({ db }: DbContext, code: string): Promise<number> {
  const key = normalizeCode(code)
  const row = await db.selectFrom("promotions").select("uses").where("code_key", "=", key).executeTakeFirst()
  return row?.uses ?? 0
}

/** Counts one use of a promotion. Throws `BillingError` "refused" if it is deleted or has no uses left. */
export async function redeemPromotion({ db }: DbContext, key: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("code_key", "=", key)
    .where((row) => row.or([row("max_uses", "is", null), row("uses", "<", row.ref("max_uses"))]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new BillingError("refused", `Promo code not found or without uses left: ${key}`)
}

/** Returns the use of an order that was cancelled, expired or flagged as fraud. */
export async function releasePromotion({ db }: DbContext, key: string): Promise<void> {
  await db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "-", 1) }))
    .where("code_key", "=", key)
    .where("uses", ">", 0)
    .execute()
}

/** Counts a use for an order paid after its use was released; may exceed `max_uses`, as the discount was granted. */
export async function redeemReleasedPromotion({ db }: DbContext, key: string): Promise<void> {
  await db
    .updateTable("promotions")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("code_key", "=", key)
    .execute()
}

/** Lists all promotions in catalogue order. */
export async function allPromotions({ db }: DbContext): Promise<readonly PromotionDefinition[]> {
  return (await db.selectFrom("promotions").selectAll().orderBy("position").execute()).map(listedOf)
}

/** Replaces all promotions. Those in both the old and the new list keep their use count. */
export async function replacePromotions(
  { db }: DbContext,
  promotions: readonly PromotionDefinition[],
): Promise<void> {
  const keys = promotions.map(({ code }) => normalizeCode(code))
  const gone = db.deleteFrom("promotions")
  await (keys.length > 0 ? gone.where("code_key", "not in", keys) : gone).execute()
  if (keys.length === 0) return
  await db
    .insertInto("promotions")
    .values(promotions.map(promotionRow))
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
      }),
    )
    .execute()
}

/** Row of a new promotion, with a use count of 0. */
export function promotionRow({ discount, ...listed }: PromotionDefinition, position: number): PromotionRow {
  const fixed = discount.kind === "fixed" ? discount.amount : null
  return {
    code_key: normalizeCode(listed.code),
    position,
    code: listed.code,
    product_ids: listed.productIds.join(","),
    starts_on: listed.startsOn,
    ends_on: listed.endsOn,
    basis_points: discount.kind === "percentage" ? discount.basisPoints : null,
    amount: fixed?.minor ?? null,
    currency: fixed?.currency ?? null,
    max_uses: listed.maxUses,
    uses: 0,
    renewals: serializeRenewals(listed) || null,
  }
}

function listedOf(row: PromotionRow): PromotionDefinition {
  return {
    code: row.code,
    productIds: idsIn(row.product_ids),
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    discount: discountOf(row),
    maxUses: row.max_uses,
    ...renewalsOf(row.renewals),
  }
}

function discountOf({ basis_points, amount, currency }: PromotionRow): Discount {
  if (amount !== null && currency !== null) return { kind: "fixed", amount: { minor: amount, currency } }
  return { kind: "percentage", basisPoints: basis_points ?? 0 }
}
