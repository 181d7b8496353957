import type {
  BrandSaved,
  BrandVersion,
  BrandVersionDetails,
  BrandVersions,
  LatestBrand,
  NewBrandVersion,
} from "~/billing/brand-versions"
import { DAY, type Instant } from "~/domain/calendar"
import type { BrandVersionRow } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

export function brandVersionsOf(ctx: DbContext): BrandVersions {
  return guarded<BrandVersions>(ctx, { latest, present, versions, version, save, keepDraft, draft })
}

async function latest({ db }: DbContext): Promise<LatestBrand> {
  const row = await db
    .selectFrom("brand_versions")
    .select(["number", "at"])
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst()
  return row ? { version: row.number, at: row.at } : { version: 0, at: 0 }
}

async function present({ db }: DbContext): Promise<LatestBrand & { content: unknown }> {
  const row = await db
    .selectFrom("brand_versions")
    .select(["number", "at", "content"])
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst()
  if (!row) return { version: 0, at: 0, content: {} }
  return { version: row.number, at: row.at, content: JSON.parse(row.content) }
}

async function versions(
  { db }: DbContext,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<readonly BrandVersion[]> {
  const rows = await db
    .selectFrom("brand_versions")
    .select(["number", "at", "author", "reason", "how", "taken_from"])
    .$if(before !== undefined, (query) => query.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute()
  return rows.map(versionOf)
}

async function version({ db }: DbContext, number: number): Promise<BrandVersionDetails | null> {
  const row = await db
    .selectFrom("brand_versions")
    .selectAll()
    .where("number", "=", number)
    .executeTakeFirst()
  return row ? { ...versionOf(row), content: JSON.parse(row.content) } : null
}

function versionOf({ taken_from, ...row }: Omit<BrandVersionRow, "content">): BrandVersion {
  const { number, at, author, reason, how } = row
  return { number, at, author, reason, how, takenFrom: taken_from }
}

function save(ctx: DbContext, content: unknown, made: NewBrandVersion): Promise<BrandSaved> {
  return inTransaction(ctx, async (tx) => {
    const { seenVersion, takenFrom, ...version } = made
    const before = await present(tx)
    if (before.version !== seenVersion) return { kind: "changed" }
    const text = JSON.stringify(content)
    if (text === JSON.stringify(before.content)) return { kind: "same" }
    const number = seenVersion + 1
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("brand_versions")
      .values({ ...version, number, taken_from: takenFrom, content: text })
      .onConflict((conflict) => conflict.column("number").doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n ? { kind: "saved", version: number } : { kind: "changed" }
  })
}

async function keepDraft(
  ctx: DbContext,
  { id, at, content }: { id: string; at: Instant; content: unknown },
): Promise<void> {
  await inTransaction(ctx, async ({ db }) => {
    await db
      .deleteFrom("brand_drafts")
      .where("at", "<", at - DAY)
      .execute()
    await db
      .insertInto("brand_drafts")
      .values({ id, at, content: JSON.stringify(content) })
      .execute()
  })
}

async function draft({ db }: DbContext, id: string, now: Instant): Promise<unknown> {
  const row = await db
    .selectFrom("brand_drafts")
    .select("content")
    .where("id", "=", id)
    .where("at", ">=", now - DAY)
    .executeTakeFirst()
  return row ? JSON.parse(row.content) : null
}
