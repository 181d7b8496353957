import { type Kysely, sql } from "kysely"
import { LRUCache } from "lru-cache"
import { z } from "zod"
import { BillingError } from "~/billing/billing"
import type { CatalogueFlaw, CatalogueSaved } from "~/billing/catalogue/catalogue-admin"
import type { VersionMade } from "~/billing/versions"
import type { Instant } from "~/domain/calendar"
import type { Product, ProductKind } from "~/domain/catalogue/catalogue"
import { productsAt } from "~/domain/catalogue/scheduled-prices"
import { isShared, lockSetup } from "../db/engines/postgresql.server"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { ProductRow, Tables } from "../db/schema/schema"
import { type DbContext, inTransaction, nowIn } from "../db/transaction.server"
import type { NewVersion } from "../versions/version-table.server"
import type { CatalogueFile } from "./catalogue-file"
import {
  Field,
  Option,
  Pricing,
  ScheduledPrices,
  scheduledField,
  scheduledFrom,
  serializeOption,
  serializePricing,
} from "./catalogue-schema"
import { recordVersion } from "./catalogue-versions.server"
import { payTypeFlaws } from "./pay-type-flaws.server"
import { allPromotions, replacePromotions } from "./promotions.server"

const Options = z.array(Option)
const Fields = z.array(Field)

/** Products by their rows: an unchanged row is parsed once, since each order reads the price list. */
const parsed = new LRUCache<string, Product, ProductRow>({
  max: 500,
  memoMethod: (_row, _stale, { context }) => productOf(context),
})

/** Lists the products of a kind in catalogue order, at the prices in force at an instant. */
export async function productsPricedAt(
  ctx: DbContext,
  kind: ProductKind,
  at: Instant,
): Promise<readonly Product[]> {
  return productsAt(await products(ctx, kind), at)
}

/** Lists the products of a kind in catalogue order, as they are stored: with scheduled prices that are in force by now. */
export async function products(ctx: DbContext, kind: ProductKind): Promise<readonly Product[]> {
  const rows = await rowsOfKind(ctx, kind)
  return rows.map((row) => parsed.memo(JSON.stringify(row), { context: row }))
}

const rowsOfKind = precompiledQuery(({ db }, kind) =>
  db.selectFrom("products").selectAll().where(sql.ref("kind"), "=", kind).orderBy("position"),
)

/** Reads all products at the prices in force, and all promotions, in catalogue order. */
export async function exportCatalogue(ctx: DbContext): Promise<CatalogueFile> {
  const listed = productsAt(await allProducts(ctx), nowIn(ctx))
  return { products: listed, promotions: await allPromotions(ctx) }
}

/** All products as they are stored, the plans first. */
export async function allProducts(ctx: DbContext): Promise<readonly Product[]> {
  const plans = await products(ctx, "plan")
  return [...plans, ...(await products(ctx, "reseller"))]
}

/**
 * Replaces all products and promotions with those of the file, in one transaction. Placed orders do not change, and
 * promotions in both keep their use count. Writes a version if the products change; without `made`, as while a shop is set up,
 * the next change does. Throws `BillingError` "refused" if the file has no product, or if it changes the payment of a plan that has
 * services.
 */
export async function importCatalogue(
  ctx: DbContext,
  file: CatalogueFile,
  made?: VersionMade,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!made) return replace(tx, file)
    const saved = await replaceProducts(tx, file.products, { ...made, how: "import" })
    if (saved.kind === "changed")
      throw new BillingError("refused", "The catalogue has changed meanwhile. Import the file again.")
    if (saved.kind === "invalid") throw new BillingError("refused", sentencesOf(saved.flaws))
    await replacePromotions(tx, file.promotions)
  })
}

function sentencesOf(flaws: readonly CatalogueFlaw[]): string {
  return flaws.map(({ path, message }) => `${path.join(".")} ${message}.`).join("\n")
}

/**
 * Replaces all products, in the order given, and writes a version; a scheduled price that is in force by then becomes the price. Runs in a
 * transaction.
 */
export async function replaceProducts(
  tx: DbContext,
  products: readonly Product[],
  version: NewVersion,
): Promise<CatalogueSaved> {
  const stored = await allProducts(tx)
  const [before, after] = [productsAt(stored, version.at), productsAt(products, version.at)]
  const flaws = await payTypeFlaws(tx, { before, after })
  if (flaws.length > 0) return { kind: "invalid", flaws }
  const recorded = await recordVersion(tx, { stored, after }, version)
  if (recorded.kind !== "saved") return recorded
  await putProducts(tx, after)
  return { ...recorded, before, after }
}

/** Imports `catalogue` if the database has no product, once when instances start concurrently. */
export async function seedIfEmpty(ctx: DbContext, catalogue: () => Promise<CatalogueFile>): Promise<void> {
  if (await hasProducts(ctx.db)) return
  const file = await catalogue()
  await inTransaction(ctx, async (tx) => {
    // Two instances that start on an empty database would write the same promotions.
    if (isShared(tx.db)) await lockSetup(tx.db)
    if (!(await hasProducts(tx.db))) await replace(tx, file)
  })
}

async function hasProducts(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom("products").select("id").limit(1).executeTakeFirst()) !== undefined
}

async function replace(ctx: DbContext, file: CatalogueFile): Promise<void> {
  await putProducts(ctx, file.products)
  await replacePromotions(ctx, file.promotions)
}

async function putProducts(ctx: DbContext, products: readonly Product[]): Promise<void> {
  const ids = products.map(({ id }) => id)
  if (ids.length === 0)
    throw new BillingError("refused", "Invalid catalogue: at least one product is required")
  await ctx.db.deleteFrom("products").where("id", "not in", ids).execute()
  await upsertProducts(ctx, products)
}

/** Replaces all products of a kind, in one transaction. */
export async function writeProducts(
  ctx: DbContext,
  kind: ProductKind,
  products: readonly Product[],
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.deleteFrom("products").where("kind", "=", kind).execute()
    if (products.length > 0) await upsertProducts(tx, products)
  })
}

async function upsertProducts({ db }: DbContext, products: readonly Product[]): Promise<void> {
  await db
    .insertInto("products")
    .values(products.map(rowOf))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        kind: row.ref("excluded.kind"),
        position: row.ref("excluded.position"),
        name: row.ref("excluded.name"),
        pay_type: row.ref("excluded.pay_type"),
        pricing: row.ref("excluded.pricing"),
        options: row.ref("excluded.options"),
        custom_fields: row.ref("excluded.custom_fields"),
        credits: row.ref("excluded.credits"),
        renewal_price: row.ref("excluded.renewal_price"),
        grace_days: row.ref("excluded.grace_days"),
        trial_hours: row.ref("excluded.trial_hours"),
        is_hidden: row.ref("excluded.is_hidden"),
        scheduled_prices: row.ref("excluded.scheduled_prices"),
      })),
    )
    .execute()
}

function rowOf(product: Product, position: number): ProductRow {
  return {
    id: product.id,
    kind: product.kind,
    position,
    name: product.name,
    pay_type: product.payType,
    pricing: JSON.stringify(serializePricing(product.pricing)),
    options: JSON.stringify(product.options.map(serializeOption)),
    custom_fields: JSON.stringify(product.customFields),
    credits: product.credits ?? null,
    renewal_price: product.renewalPrice ?? null,
    grace_days: product.graceDays ?? null,
    trial_hours: product.trialHours ?? null,
    is_hidden: product.isHidden ? 1 : null,
    scheduled_prices: scheduledText(product),
  }
}

function scheduledText({ scheduledPrices }: Product): string | null {
  const { scheduled_prices } = scheduledField(scheduledPrices)
  return scheduled_prices ? JSON.stringify(scheduled_prices) : null
}

function productOf(row: ProductRow): Product {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    payType: row.pay_type,
    pricing: Pricing.parse(JSON.parse(row.pricing)),
    options: Options.parse(JSON.parse(row.options)),
    customFields: Fields.parse(JSON.parse(row.custom_fields)),
    ...(row.credits !== null && { credits: row.credits }),
    ...(row.renewal_price !== null && { renewalPrice: row.renewal_price }),
    ...(row.grace_days !== null && { graceDays: row.grace_days }),
    ...(row.trial_hours !== null && { trialHours: row.trial_hours }),
    ...(row.is_hidden === 1 && { isHidden: true }),
    ...scheduledFrom(ScheduledPrices.parse(JSON.parse(row.scheduled_prices ?? "[]"))),
  }
}
