import type { PresentTax, TaxAdmin, TaxSaved, TaxSaying } from "~/billing/tax-admin"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { SeenVersion, Version } from "~/billing/versions"
import type { TaxAccounting } from "~/domain/tax/exchange-rate"
import type { TaxRules } from "~/domain/tax/tax"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import {
  lastFormKeyIn,
  lastVersionRow,
  type NewVersion,
  versionOf,
  versionRow,
  versionsIn,
  writeVersion,
} from "../versions/version-table.server"

const TABLE = "tax_versions"

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
    get accounting() {
      return stored === null || stored.content === null ? (file?.accounting ?? null) : stored.accounting
    },
    timeZone,
    file,
  }

  async function read(reader: DbContext): Promise<void> {
    const row = await lastVersionRow(reader, TABLE)
    if (row?.content === stored?.content) return
    stored = row ? storedIn(row.content) : null
  }

  async function thenRead<T>(saving: Promise<T>): Promise<T> {
    const saved = await saving
    await read(ctx)
    return saved
  }

  const admin = guarded<Omit<TaxAdmin, "rules" | "accounting">>(ctx, {
    refresh: read,
    present: (reader) => present(reader, file),
    versions: (reader, range) => versionsIn(reader, TABLE, range),
    lastFormKey: (reader) => lastFormKeyIn(reader, TABLE),
    version,
    change: (reader, content, made) =>
      thenRead(
        inTransaction(reader, (tx) =>
          changed(tx, { file, content }, { ...made, how: content ? "edit" : "file" }),
        ),
      ),
    takeBack: (reader, number, made) =>
      thenRead(inTransaction(reader, (tx) => takenBack(tx, { file, number }, made))),
  })
  return {
    policy,
    admin: { ...admin, rules: () => policy.rules, accounting: () => policy.accounting ?? null },
  }
}

/** `content`: null for the rules of the shop file. */
type Stored = {
  readonly content: string | null
  readonly rules: TaxRules | null
  readonly accounting: TaxAccounting | null
}

function storedIn(content: string | null): Stored {
  const file = content === null ? null : contentIn(content)
  return { content, rules: file && taxRulesOf(file), accounting: file?.accounting ?? null }
}

function contentIn(content: string): TaxFile {
  return TaxFile.parse(JSON.parse(content))
}

async function present(ctx: DbContext, file: TaxFile | null): Promise<PresentTax> {
  const row = await lastVersionRow(ctx, TABLE)
  const stored = row && row.content !== null ? contentIn(row.content) : null
  return {
    content: stored ?? file,
    source: stored === null ? "file" : "console",
    file,
    latest: row?.number ?? 0,
  }
}

async function version(ctx: DbContext, number: number): Promise<(Version & TaxSaying) | null> {
  const row = await versionRow(ctx, TABLE, number)
  return row ? { ...versionOf(row), content: row.content === null ? null : contentIn(row.content) } : null
}

type Change = { readonly file: TaxFile | null; readonly content: TaxFile | null }

function textOf(content: TaxFile | null): string | null {
  return content && JSON.stringify(content)
}

/** What the shop file said becomes a version before the first one, so that it can be taken back to after the file has changed. */
async function changed(tx: DbContext, { file, content }: Change, made: NewVersion): Promise<TaxSaved> {
  const last = await lastVersionRow(tx, TABLE)
  const before = last?.content ?? null
  const [ofFile, typed] = [textOf(file), textOf(content)]
  // Rules of the console that are those of the file are no change either.
  const after = before === null && typed === ofFile ? null : typed
  const found = last ? null : ofFile
  const written = await writeVersion(tx, TABLE, { last, before, after, found, passed: [] }, made)
  if (written.kind !== "saved") return written
  return { ...written, before: before === null ? file : contentIn(before), after: content ?? file }
}

async function takenBack(
  tx: DbContext,
  { file, number }: { readonly file: TaxFile | null; readonly number: number },
  made: SeenVersion,
): Promise<TaxSaved | null> {
  const found = await version(tx, number)
  const taken = { ...made, how: "take-back", takenFrom: number } as const
  return found && changed(tx, { file, content: found.content }, taken)
}
