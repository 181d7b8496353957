import type {
  BrandSaved,
  BrandSaying,
  BrandVersions,
  LatestBrand,
  NewBrandVersion,
} from "~/billing/brand-versions"
import type { Version } from "~/billing/versions"
import { DAY, type Instant } from "~/domain/calendar"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import {
  lastFormKeyIn,
  lastVersion,
  lastVersionRow,
  versionOf,
  versionRow,
  versionsIn,
  writeVersion,
} from "../versions/version-table.server"

const TABLE = "brand_versions"

/** Before the first version nothing is set. */
const NOTHING = "{}"

export function brandVersionsOf(ctx: DbContext): BrandVersions {
  return guarded<BrandVersions>(ctx, {
    latest,
    present,
    versions: (reader, range) => versionsIn(reader, TABLE, range),
    lastFormKey: (reader) => lastFormKeyIn(reader, TABLE),
    version,
    save,
    keepDraft,
    draft,
  })
}

async function latest(ctx: DbContext): Promise<LatestBrand> {
  const { number: version, at } = (await lastVersion(ctx, TABLE)) ?? { number: 0, at: 0 }
  return { version, at }
}

async function present(ctx: DbContext): Promise<LatestBrand & BrandSaying> {
  const {
    number: version,
    at,
    content,
  } = (await lastVersionRow(ctx, TABLE)) ?? { number: 0, at: 0, content: null }
  return { version, at, content: contentIn(content) }
}

async function version(ctx: DbContext, number: number): Promise<(Version & BrandSaying) | null> {
  const row = await versionRow(ctx, TABLE, number)
  return row ? { ...versionOf(row), content: contentIn(row.content) } : null
}

function contentIn(text: string | null): unknown {
  return JSON.parse(text ?? NOTHING)
}

function save(ctx: DbContext, content: unknown, made: NewBrandVersion): Promise<BrandSaved> {
  return inTransaction(ctx, async (tx) => {
    const last = await lastVersionRow(tx, TABLE)
    const before = last?.content ?? NOTHING
    return writeVersion(
      tx,
      TABLE,
      { last, before, after: JSON.stringify(content), found: null, passed: [] },
      made,
    )
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
