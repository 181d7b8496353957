import type {
  CatalogueAdmin,
  CatalogueChecked,
  CatalogueContent,
  CatalogueSaved,
  PresentCatalogue,
} from "~/billing/catalogue/catalogue-admin"
import type { SeenVersion } from "~/billing/versions"
import { passedPrices, productsAt, withoutPassedPrices } from "~/domain/catalogue/scheduled-prices"
import { type DbContext, guarded, inTransaction, nowIn } from "../db/transaction.server"
import type { NewVersion } from "../versions/version-table.server"
import { allProducts, replaceProducts } from "./catalogue.server"
import { checkCatalogue, contentOf } from "./catalogue-file"
import { lastFormKey as lastFormKeyOf, latestVersion, version, versions } from "./catalogue-versions.server"
import { serializePromotion } from "./promotion-schema"
import { allPromotions } from "./promotions.server"

export function catalogueAdminOf(ctx: DbContext): CatalogueAdmin {
  return guarded<CatalogueAdmin>(ctx, {
    present,
    versions,
    lastFormKey,
    version,
    check,
    change,
    isSold,
    takeBack,
  })
}

async function present(ctx: DbContext): Promise<PresentCatalogue> {
  const now = nowIn(ctx)
  // In this order: a version that is written in between makes the products newer than their number, which refuses the change.
  const latest = await latestVersion(ctx)
  const stored = await allProducts(ctx)
  const products = productsAt(stored, now)
  return { products, content: contentOf(products), latest: latest + passedPrices(stored, now).length }
}

/** A price that has come into force since is seen in no form. */
async function lastFormKey(ctx: DbContext): Promise<string | null> {
  const hasPassed = passedPrices(await allProducts(ctx), nowIn(ctx)).length > 0
  return hasPassed ? null : lastFormKeyOf(ctx)
}

async function check(ctx: DbContext, content: CatalogueContent): Promise<CatalogueChecked> {
  const promotions = await allPromotions(ctx)
  const checked = checkCatalogue({ ...content, promotions: promotions.map(serializePromotion) })
  return checked.kind === "valid" ? { kind: "valid", products: checked.catalogue.products } : checked
}

function change(ctx: DbContext, content: CatalogueContent, made: SeenVersion): Promise<CatalogueSaved> {
  return inTransaction(ctx, (tx) => replaced(tx, content, { ...made, how: "edit" }))
}

/** An order of a product has a service from its beginning, and one that changes the plan has a change. */
async function isSold({ db }: DbContext, productId: string): Promise<boolean> {
  const service = db.selectFrom("services").select("product_id").where("product_id", "=", productId)
  if (await service.limit(1).executeTakeFirst()) return true
  const next = db.selectFrom("next_plans").select("product_id").where("product_id", "=", productId)
  if (await next.limit(1).executeTakeFirst()) return true
  const change = db.selectFrom("plan_changes").select("product_id").where("product_id", "=", productId)
  return (await change.limit(1).executeTakeFirst()) !== undefined
}

function takeBack(ctx: DbContext, number: number, made: SeenVersion): Promise<CatalogueSaved | null> {
  return inTransaction(ctx, async (tx) => {
    const found = await version(tx, number)
    const taken = { ...made, how: "take-back", takenFrom: number } as const
    // What it had scheduled for an instant that has passed was not its price.
    return found && replaced(tx, contentOf(withoutPassedPrices(found.products, made.at)), taken)
  })
}

async function replaced(
  tx: DbContext,
  content: CatalogueContent,
  version: NewVersion,
): Promise<CatalogueSaved> {
  const checked = await check(tx, content)
  return checked.kind === "valid" ? replaceProducts(tx, checked.products, version) : checked
}
