import { isDeepStrictEqual } from "node:util"
import type {
  PromotionAdmin,
  PromotionDetails,
  PromotionFields,
  PromotionFlaw,
  PromotionRange,
  PromotionSaved,
} from "~/billing/catalogue/promotion-admin"
import type { Instant } from "~/domain/calendar"
import { beginsWith, inByteOrder } from "../db/byte-order.server"
import type { PromotionRow } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { unlistedProducts } from "./catalogue-validation"
import { normalizeCode } from "./normalize-code"
import { addCodes, codeCounts, codes, withdrawCodes } from "./promotion-codes.server"
import { type PromotionDefinition, PromotionShape } from "./promotion-schema"
import {
  definitionColumns,
  definitionOf,
  promotionKeys,
  promotionRow,
  usesInOrders,
} from "./promotions.server"

export function promotionAdminOf(ctx: DbContext): PromotionAdmin {
  return guarded<PromotionAdmin>(ctx, {
    promotions,
    promotionDetails,
    addPromotion,
    changePromotion,
    switchOff,
    switchOn,
    addCodes,
    codes,
    codeCounts,
    withdrawCodes,
  })
}

async function promotions(
  ctx: DbContext,
  { beginning = "", after, before, limit }: PromotionRange,
): Promise<readonly PromotionDetails[]> {
  const column = inByteOrder(ctx, "code_key")
  const rows = await ctx.db
    .selectFrom("promotions")
    .selectAll()
    .$if(beginning !== "", (query) => query.where(beginsWith(ctx, "code_key", normalizeCode(beginning))))
    .$if(after !== undefined, (query) => query.where(column, ">", normalizeCode(after ?? "")))
    .$if(before !== undefined, (query) => query.where(column, "<", normalizeCode(before ?? "")))
    .orderBy(column, before === undefined ? "asc" : "desc")
    .limit(limit)
    .execute()
  return rows.map(detailsOf)
}

async function promotionDetails({ db }: DbContext, code: string): Promise<PromotionDetails | null> {
  const row = await db
    .selectFrom("promotions")
    .selectAll()
    .where("code_key", "=", normalizeCode(code))
    .executeTakeFirst()
  return row ? detailsOf(row) : null
}

function detailsOf(row: PromotionRow): PromotionDetails {
  return { ...definitionOf(row), uses: row.uses, offSince: row.off_since }
}

async function addPromotion(ctx: DbContext, fields: PromotionFields): Promise<PromotionSaved> {
  return inTransaction(ctx, async (tx) => {
    const checked = await check(tx, fields)
    if (checked.kind === "invalid") return checked
    if ((await promotionKeys(tx, checked.definition.code)).oneTime !== null) return { kind: "exists" }
    const { last } = await tx.db
      .selectFrom("promotions")
      .select((row) => row.fn.max<number | null>("position").as("last"))
      .executeTakeFirstOrThrow()
    const uses = await usesInOrders(tx, [normalizeCode(checked.definition.code)])
    const written = await tx.db
      .insertInto("promotions")
      .values(promotionRow(checked.definition, (last ?? -1) + 1, uses))
      .onConflict((conflict) => conflict.column("code_key").doNothing())
      .returningAll()
      .executeTakeFirst()
    return written ? { kind: "saved", promotion: detailsOf(written) } : { kind: "exists" }
  })
}

async function changePromotion(
  ctx: DbContext,
  fields: PromotionFields,
  seen: PromotionDetails,
): Promise<PromotionSaved> {
  return inTransaction(ctx, async (tx) => {
    const checked = await check(tx, fields)
    if (checked.kind === "invalid") return checked
    const { definition } = checked
    const promotion = tx.db
      .updateTable("promotions")
      .where("code_key", "=", normalizeCode(definition.code))
      .returningAll()
    // An update that changes nothing locks the row, until what was read of it is replaced.
    const present = await promotion.set((row) => ({ uses: row.ref("uses") })).executeTakeFirst()
    if (!present) return { kind: "unknown" }
    if (!isDeepStrictEqual(detailsOf(present), { ...seen, uses: present.uses })) return { kind: "changed" }
    const written = await promotion.set(definitionColumns(definition)).executeTakeFirstOrThrow()
    return { kind: "saved", promotion: detailsOf(written) }
  })
}

type Checked =
  | { readonly kind: "valid"; readonly definition: PromotionDefinition }
  | { readonly kind: "invalid"; readonly flaws: readonly PromotionFlaw[] }

async function check({ db }: DbContext, fields: PromotionFields): Promise<Checked> {
  const parsed = PromotionShape.safeParse(fields)
  if (!parsed.success) {
    const flaws = parsed.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ""), message }))
    return { kind: "invalid", flaws }
  }
  const listed = await db.selectFrom("products").select("id").execute()
  const unlisted = unlistedProducts(
    parsed.data.productIds,
    listed.map(({ id }) => id),
  )
  const flaws = unlisted.map((message) => ({ field: "appliesto", message }))
  return flaws.length > 0 ? { kind: "invalid", flaws } : { kind: "valid", definition: parsed.data }
}

const switchOff = (ctx: DbContext, code: string, at: Instant) => setOff(ctx, code, at)
const switchOn = (ctx: DbContext, code: string) => setOff(ctx, code, null)

async function setOff({ db }: DbContext, code: string, offSince: Instant | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("promotions")
    .set({ off_since: offSince })
    .where("code_key", "=", normalizeCode(code))
    .where("off_since", offSince === null ? "is not" : "is", null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
