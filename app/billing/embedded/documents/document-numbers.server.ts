import { sql } from "kysely"
import type { NumberSeries } from "~/billing/documents/document-numbers"
import type { DocumentNumber } from "~/domain/accounting/document-number"
import { dayIn, type Instant } from "~/domain/calendar"
import type { DocumentNumberRow } from "../db/schema/tax-document-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"

const kinds = ["invoice", "credit-note"] as const

/** See `DocumentNumbers.numberSeries`. */
export async function numberSeries(ctx: DbContext, at: Instant): Promise<readonly NumberSeries[]> {
  const { documents: policy, tax } = ctx
  if (!policy) return []
  const year = Number(dayIn(policy.timeZone, at).slice(0, 4))
  const rows = await storedNumbers(ctx, year)
  if (!tax?.rules && rows.length === 0) return []
  return kinds.map((kind) => ({
    kind,
    year,
    prefix: policy.prefixes[kind],
    sequence: lastOf(rows, { kind, year }),
  }))
}

/** See `DocumentNumbers.continueNumbers`. */
export async function continueNumbers(ctx: DbContext, after: DocumentNumber): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await setForward(tx, [{ kind: after.kind, year: after.year, last: after.sequence }])
    return lastOf(await storedNumbers(tx, after.year), after) === after.sequence
  })
}

/** The last number of a kind in a year. */
export type LastNumber = Pick<DocumentNumberRow, "kind" | "year" | "last">

function lastOf(rows: readonly LastNumber[], { kind, year }: Pick<LastNumber, "kind" | "year">): number {
  return rows.find((it) => it.kind === kind && it.year === year)?.last ?? 0
}

/** The last number of each kind that the database has given, in one year or in each. */
export async function storedNumbers({ db }: DbContext, year?: number): Promise<readonly LastNumber[]> {
  const rows = await db
    .selectFrom("document_numbers")
    .select(["kind", "year", "last"])
    .where("kind", "in", kinds)
    .$if(year !== undefined, (query) => query.where("year", "=", year ?? 0))
    .execute()
  return rows.map(({ kind, year, last }) => ({ kind, year, last: Number(last) }))
}

/** Sets series forward; the numbers in between are no gaps. One that is as far is left as it is. Returns those that were set. */
export async function setForward(
  { db }: DbContext,
  numbers: readonly LastNumber[],
): Promise<readonly LastNumber[]> {
  const set: LastNumber[] = []
  for (const { kind, year, last } of numbers.filter((it) => it.last > 0)) {
    const changed = await db
      .insertInto("document_numbers")
      .values({ kind, year, last, skipped: last })
      .onConflict((conflict) =>
        conflict
          .columns(["kind", "year"])
          .doUpdateSet((row) => ({
            skipped: sql<number>`document_numbers.skipped + ${row.ref("excluded.last")} - document_numbers.last`,
            last: row.ref("excluded.last"),
          }))
          .where("document_numbers.last", "<", last),
      )
      .returning("last")
      .executeTakeFirst()
    if (changed) set.push({ kind, year, last })
  }
  return set
}
