import type { SeenVersion } from "~/billing/catalogue-admin"
import type {
  PresentTax,
  TaxAdmin,
  TaxSaved,
  TaxVersion,
  TaxVersionDetails,
  TaxVersionOrigin,
} from "~/billing/tax-admin"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { Instant } from "~/domain/calendar"
import type { TaxRules } from "~/domain/tax"
import { TaxFile, taxRulesOf } from "~/domain/tax-file"
import type { TaxVersionRow } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

/** The policy by which orders are taxed, and the port that changes it. */
export type ManagedTax = { readonly policy: TaxPolicy; readonly admin: TaxAdmin }

/**
 * Manages the rules of tax that are stored. Orders are taxed by those that were last read, so that no order reads them: after a
 * change of this instance they are read at once, after one of another whenever `refresh` is called.
 */
export function managedTax(ctx: DbContext, { rules: ofFile, timeZone, file = null }: TaxPolicy): ManagedTax {
  let stored: Stored | null = null
  const policy: TaxPolicy = {
    get rules() {
      return stored === null || stored.content === null ? ofFile : stored.rules
    },
    timeZone,
    file,
  }

  async function read(reader: DbContext): Promise<void> {
    const row = await latestRow(reader)
    if (row?.content === stored?.content) return
    stored = row ? { content: row.content, rules: row.content === null ? null : rulesIn(row.content) } : null
  }

  async function thenRead<T>(saving: Promise<T>): Promise<T> {
    const saved = await saving
    await read(ctx)
    return saved
  }

  const admin = guarded<Omit<TaxAdmin, "rules">>(ctx, {
    refresh: read,
    present: (reader) => present(reader, file),
    versions,
    version,
    change: (reader, content, made) =>
      thenRead(
        inTransaction(reader, (tx) => changed(tx, { file, content }, { ...made, how: howOf(content) })),
      ),
    takeBack: (reader, number, made) =>
      thenRead(inTransaction(reader, (tx) => takenBack(tx, { file, number }, made))),
  })
  return { policy, admin: { ...admin, rules: () => policy.rules } }
}

/** `content`: null for the rules of the shop file. */
type Stored = { readonly content: string | null; readonly rules: TaxRules | null }

function rulesIn(content: string): TaxRules | null {
  return taxRulesOf(contentIn(content))
}

function contentIn(content: string): TaxFile {
  return TaxFile.parse(JSON.parse(content))
}

const howOf = (content: TaxFile | null): TaxVersionOrigin => (content === null ? "file" : "edit")

function latestRow({ db }: DbContext): Promise<TaxVersionRow | undefined> {
  return db.selectFrom("tax_versions").selectAll().orderBy("number", "desc").limit(1).executeTakeFirst()
}

async function present(ctx: DbContext, file: TaxFile | null): Promise<PresentTax> {
  const row = await latestRow(ctx)
  const stored = row && row.content !== null ? contentIn(row.content) : null
  return {
    content: stored ?? file,
    source: stored === null ? "file" : "console",
    file,
    latest: row?.number ?? 0,
  }
}

async function versions(
  { db }: DbContext,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<readonly TaxVersion[]> {
  const rows = await db
    .selectFrom("tax_versions")
    .select(["number", "at", "author", "reason", "how", "taken_from"])
    .$if(before !== undefined, (query) => query.where("number", "<", before ?? 0))
    .orderBy("number", "desc")
    .limit(limit)
    .execute()
  return rows.map(versionOf)
}

async function version({ db }: DbContext, number: number): Promise<TaxVersionDetails | null> {
  const row = await db.selectFrom("tax_versions").selectAll().where("number", "=", number).executeTakeFirst()
  return row ? { ...versionOf(row), content: row.content === null ? null : contentIn(row.content) } : null
}

function versionOf({ taken_from, ...row }: Omit<TaxVersionRow, "content">): TaxVersion {
  const { number, at, author, reason, how } = row
  return { number, at, author, reason, how, takenFrom: taken_from }
}

type New = SeenVersion & { readonly how: TaxVersionOrigin; readonly takenFrom?: number }
type Change = { readonly file: TaxFile | null; readonly content: TaxFile | null }

/**
 * Writes a version: of two changes at once the second finds its number taken. What the shop file said becomes a version before
 * the first one, so that it can be taken back to after the file has changed.
 */
async function changed(tx: DbContext, { file, content }: Change, made: New): Promise<TaxSaved> {
  const row = await latestRow(tx)
  const [latest, stored] = [row?.number ?? 0, row?.content ?? null]
  if (made.seenVersion !== latest) return { kind: "changed" }
  if (isSame({ file, content }, stored)) return { kind: "same" }
  const states = statesOf({ file, content }, { ...made, isFirst: latest === 0 })
  if (!(await allInserted(tx, states, latest))) return { kind: "changed" }
  const before = stored === null ? file : contentIn(stored)
  return { kind: "saved", version: latest + states.length, before, after: content ?? file }
}

type State = Omit<TaxVersionRow, "number">

/** The state that is made, and before the first one that of the shop file. */
function statesOf({ file, content }: Change, made: New & { readonly isFirst: boolean }): readonly State[] {
  const { author, reason, at, how, takenFrom = null } = made
  const state = {
    at,
    author,
    reason,
    how,
    taken_from: takenFrom,
    content: content && JSON.stringify(content),
  }
  return made.isFirst && file ? [{ ...foundAt(at), content: JSON.stringify(file) }, state] : [state]
}

async function allInserted(tx: DbContext, states: readonly State[], latest: number): Promise<boolean> {
  for (const [index, state] of states.entries())
    if (!(await inserted(tx, { ...state, number: latest + 1 + index }))) return false
  return true
}

const foundAt = (at: Instant) => ({ at, author: null, reason: null, how: "found", taken_from: null }) as const

/** Rules of the console that are those of the file are no change either. */
function isSame({ file, content }: Change, stored: string | null): boolean {
  const text = content && JSON.stringify(content)
  return text === stored || (stored === null && file !== null && text === JSON.stringify(file))
}

async function takenBack(
  tx: DbContext,
  { file, number }: { readonly file: TaxFile | null; readonly number: number },
  made: SeenVersion,
): Promise<TaxSaved | null> {
  const found = await version(tx, number)
  const { content } = found ?? {}
  if (content === undefined) return null
  return changed(tx, { file, content }, { ...made, how: "take-back", takenFrom: number })
}

/** False if another has the number. */
async function inserted({ db }: DbContext, row: TaxVersionRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("tax_versions")
    .values(row)
    .onConflict((conflict) => conflict.column("number").doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
