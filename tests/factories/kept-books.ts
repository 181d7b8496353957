import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import type { Books } from "~/billing/embedded/books.server"
import { openDatabase } from "~/billing/embedded/database.server"
import { backUp } from "~/billing/embedded/keeping/backup.server"
import { migrate } from "~/billing/embedded/migrate.server"
import { NOON, unique } from "../contracts/billing-fixtures"
import { freshDatabase } from "../postgres"
import { insertRow, rowsOfBefore, stored } from "./rows-of-before"

export const engines = ["SQLite", "PostgreSQL"] as const
export type Engine = (typeof engines)[number]

/** Books of the newest schema on an engine, and where they are; `close` throws them away. */
export async function openKeptBooks(engine: Engine) {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-kept-"))
  const url = engine === "SQLite" ? join(folder, "books.db") : await freshDatabase(inject("postgres"))
  const books: Books = { db: openDatabase({ url, timeoutMs: 10_000 }), newId: unique }
  await migrate(books.db)
  const close = async () => {
    await books.db.destroy()
    rmSync(folder, { recursive: true })
  }
  return { ...books, url, close }
}

export type KeptBooks = Awaited<ReturnType<typeof openKeptBooks>>

/** Writes a row of every table. */
export async function fill({ db }: Books): Promise<void> {
  for (const table of Object.keys(rowsOfBefore)) {
    for (const row of stored(table)) await insertRow(db, table, Object.keys(row), row)
  }
}

/** The lines of a backup, without their ends. */
export async function linesOf(books: Books): Promise<string[]> {
  const lines: string[] = []
  await backUp(books, NOON, async (written) => {
    for await (const line of written) lines.push(line.slice(0, -1))
  })
  return lines
}

/** Lines as a file gives them, from the start each time. */
export function asFile(lines: readonly string[]): () => AsyncIterable<string> {
  return async function* read() {
    yield* lines
  }
}
