import type {
  SeenVersion,
  Unsaved,
  Version,
  VersionMade,
  VersionOrigin,
  VersionRange,
} from "~/billing/versions"
import type { VersionRow } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"

/** Tables of versions: all have the same columns. What a content says, its own module knows. */
export type VersionTable = "catalogue_versions" | "tax_versions" | "brand_versions"

/** The last one first, at most `limit`, those before the number `before`. */
export async function versionsIn(
  { db }: DbContext,
  table: VersionTable,
  { before, limit }: VersionRange,
): Promise<readonly Version[]> {
  const rows = await db
    .selectFrom(table)
    .select(["number", "at", "author", "reason", "how", "taken_from"])
    .$if(before !== undefined, (query) => query.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute()
  return rows.map(versionOf)
}

/** Undefined for an unknown number. */
export function versionRow(
  { db }: DbContext,
  table: VersionTable,
  number: number,
): Promise<VersionRow | undefined> {
  return db.selectFrom(table).selectAll().where("number", "=", number).executeTakeFirst()
}

/** Undefined without a version. */
export function lastVersionRow({ db }: DbContext, table: VersionTable): Promise<VersionRow | undefined> {
  return db.selectFrom(table).selectAll().orderBy("number", "desc").limit(1).executeTakeFirst()
}

/** See `Versions.lastFormKey`. */
export async function lastFormKeyIn({ db }: DbContext, table: VersionTable): Promise<string | null> {
  const row = await db
    .selectFrom(table)
    .select("form_key")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst()
  return row?.form_key ?? null
}

/** Number and time of the last version, without its content; undefined without a version. */
export function lastVersion(
  { db }: DbContext,
  table: VersionTable,
): Promise<Pick<VersionRow, "number" | "at"> | undefined> {
  return db.selectFrom(table).select(["number", "at"]).orderBy("number", "desc").limit(1).executeTakeFirst()
}

export function versionOf({ taken_from, ...row }: Omit<VersionRow, "content" | "form_key">): Version {
  const { number, at, author, reason, how } = row
  return { number, at, author, reason, how, takenFrom: taken_from }
}

export type NewVersion = VersionMade &
  Partial<Pick<SeenVersion, "seenVersion" | "formKey">> & {
    readonly how: Exclude<VersionOrigin, "found" | "scheduled">
    readonly takenFrom?: number | null
  }

/** Contents as the table keeps them. */
type Change = {
  /** As it was read in this transaction. */
  readonly last: VersionRow | undefined
  readonly before: string | null
  readonly after: string | null
  /** What was there and is in no version: it becomes one first, so that it can be taken back to. Null: nothing. */
  readonly found: string | null
  /** Scheduled changes that have taken effect since the last version: each becomes one, before that of the change. */
  readonly passed: readonly PassedVersion[]
}

/** What a scheduled change has made of the content, at its instant. */
export type PassedVersion = Omit<VersionMade, "author"> & {
  readonly author: string | null
  readonly content: string
}

type Written = { readonly kind: "saved"; readonly version: number } | Unsaved

/**
 * Writes a version, in the transaction of the change: of two changes at once the second waits here, and finds its number taken.
 * Without `seenVersion` the author may have seen any.
 */
export async function writeVersion(
  tx: DbContext,
  table: VersionTable,
  { last, before, after, found, passed }: Change,
  { seenVersion, ...made }: NewVersion,
): Promise<Written> {
  const latest = last?.number ?? 0
  if (seenVersion !== undefined && seenVersion !== latest + passed.length) return { kind: "changed" }
  if (before === after) return { kind: "same" }
  const states = [...unwritten(found, passed, made.at), { ...madeAs(made), content: after }]
  for (const [index, row] of states.entries())
    if (!(await inserted(tx, table, { ...row, number: latest + 1 + index }))) return { kind: "changed" }
  return { kind: "saved", version: latest + states.length }
}

const madeAs = ({ author, reason, at, how, takenFrom = null, formKey }: NewVersion) => ({
  at,
  author,
  reason,
  how,
  taken_from: takenFrom,
  form_key: formKey ?? null,
})

const foundAt = (at: number) =>
  ({ at, author: null, reason: null, how: "found", taken_from: null, form_key: null }) as const

/** What is in no version by the time of a change. */
function unwritten(
  found: string | null,
  passed: readonly PassedVersion[],
  at: number,
): readonly Omit<VersionRow, "number">[] {
  const first = passed[0]?.at ?? at
  return [
    ...(found === null ? [] : [{ ...foundAt(first), content: found }]),
    ...passed.map((it) => ({ ...scheduled, ...it })),
  ]
}

const scheduled = { how: "scheduled", taken_from: null, form_key: null } as const

/** False if another has the number. */
async function inserted({ db }: DbContext, table: VersionTable, row: VersionRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.column("number").doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
