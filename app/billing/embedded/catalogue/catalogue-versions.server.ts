import type { CatalogueVersion, VersionDetails, VersionMade, VersionOrigin } from "~/billing/catalogue-admin"
import type { Product } from "~/domain/catalogue"
import type { CatalogueVersionRow } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"
import { contentOf, readContent } from "./catalogue-file"

export async function latestVersion({ db }: DbContext): Promise<number> {
  const { latest } = await db
    .selectFrom("catalogue_versions")
    .select((row) => row.fn.max<number | null>("number").as("latest"))
    .executeTakeFirstOrThrow()
  return latest ?? 0
}

export async function versions(
  { db }: DbContext,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<readonly CatalogueVersion[]> {
  const rows = await db
    .selectFrom("catalogue_versions")
    .select(["number", "at", "author", "reason", "how", "taken_from"])
    .$if(before !== undefined, (query) => query.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute()
  return rows.map(versionOf)
}

export async function version(ctx: DbContext, number: number): Promise<VersionDetails | null> {
  const row = await rowOfVersion(ctx, number)
  return row ? { ...versionOf(row), products: readContent(JSON.parse(row.content)) } : null
}

function versionOf({ taken_from, ...row }: Omit<CatalogueVersionRow, "content">): CatalogueVersion {
  const { number, at, author, reason, how } = row
  return { number, at, author, reason, how, takenFrom: taken_from }
}

function rowOfVersion({ db }: DbContext, number: number): Promise<CatalogueVersionRow | undefined> {
  return db.selectFrom("catalogue_versions").selectAll().where("number", "=", number).executeTakeFirst()
}

export type NewVersion = VersionMade & {
  readonly how: Exclude<VersionOrigin, "found">
  readonly takenFrom?: number | null
  /** The last version that the author knew; absent: whichever it is. */
  readonly seenVersion?: number
}

type Replacement = { readonly before: readonly Product[]; readonly after: readonly Product[] }

type Recorded =
  | { readonly kind: "recorded"; readonly version: number }
  | { readonly kind: "changed" }
  | { readonly kind: "same" }

/**
 * Writes a version, in the transaction that replaces the products, and before it: of two changes at once the second waits here,
 * and finds its number taken. Products that are in no version, as after an upgrade, become one first, so that they can be taken
 * back to.
 */
export async function recordVersion(
  ctx: DbContext,
  { before, after }: Replacement,
  { how, author, reason, at, takenFrom = null, seenVersion }: NewVersion,
): Promise<Recorded> {
  const latest = await latestVersion(ctx)
  if (seenVersion !== undefined && seenVersion !== latest) return { kind: "changed" }
  const [present, content] = [textOf(before), textOf(after)]
  if (content === present) return { kind: "same" }
  const isKnown = (await rowOfVersion(ctx, latest))?.content === present
  const found = { at, author: null, reason: null, how: "found", taken_from: null, content: present } as const
  if (!isKnown && before.length > 0 && !(await inserted(ctx, { ...found, number: latest + 1 })))
    return { kind: "changed" }
  const number = isKnown || before.length === 0 ? latest + 1 : latest + 2
  const isWritten = await inserted(ctx, { number, at, author, reason, how, taken_from: takenFrom, content })
  return isWritten ? { kind: "recorded", version: number } : { kind: "changed" }
}

/** False if another has the number. */
async function inserted({ db }: DbContext, row: CatalogueVersionRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("catalogue_versions")
    .values(row)
    .onConflict((conflict) => conflict.column("number").doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

function textOf(products: readonly Product[]): string {
  return JSON.stringify(contentOf(products))
}
