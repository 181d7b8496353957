import { sql } from "kysely"
import type { Billing } from "~/billing/billing"
import type { Outbox } from "~/billing/outbox"
import type { Till } from "~/billing/till"
import { billingOf } from "./billing.server"
import { type Books, told } from "./books.server"
import { stockIfEmpty } from "./catalogue.server"
import type { CatalogueFile } from "./catalogue-file"
import { openDatabase } from "./database.server"
import { migrate } from "./migrate.server"
import { type Operator, operatorOf } from "./operator.server"
import { outboxOf } from "./outbox.server"
import { tillOf } from "./till.server"

export type EmbeddedSettings = {
  /** `postgres://…`, or the path of a SQLite file; the folder must be there. */
  readonly databaseUrl: string
  /** How long a database server may take to answer, in milliseconds. */
  readonly timeoutMs: number
  readonly newId: () => string
  /** What a shop without products starts with; read only then. */
  readonly catalogue: () => Promise<CatalogueFile>
}

export type EmbeddedBooks = {
  readonly billing: Billing
  readonly till: Till
  readonly outbox: Outbox
  readonly operator: Operator
  healthy(): Promise<boolean>
  close(): Promise<void>
}

/** Opens the books we keep ourselves: migrates them, and stocks a shop that has no product. Throws a `BillingError`. */
export async function openEmbeddedBooks(settings: EmbeddedSettings): Promise<EmbeddedBooks> {
  const books = await told(opened(settings))
  return {
    billing: billingOf(books),
    till: tillOf(books),
    outbox: outboxOf(books),
    operator: operatorOf(books),
    healthy: () => answers(books),
    close: () => books.db.destroy(),
  }
}

async function opened({ databaseUrl, timeoutMs, newId, catalogue }: EmbeddedSettings): Promise<Books> {
  const books = { db: openDatabase({ url: databaseUrl, timeoutMs }), newId }
  try {
    await migrate(books.db)
    await stockIfEmpty(books, catalogue)
    return books
  } catch (error) {
    await books.db.destroy()
    throw error
  }
}

async function answers({ db }: Books): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
