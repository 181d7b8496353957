import { accessSync, constants, existsSync, statSync } from "node:fs"
import { basename } from "node:path"
import { tablesInSqliteFile } from "~/billing/embedded/db/engines/sqlite-tables.server"
import type { Config } from "~/config/environment.server"
import { databaseFile } from "./database-file.server"
import { secretsFile } from "./generated-secrets.server"
import { makePrivateFolder } from "./private-files.server"

/** Kysely's table of applied migrations, which every database of the shop has. */
const MIGRATIONS = "kysely_migration"

/** Creates the data folder if it is missing. Throws an `Error` that names variable and folder if it is not writable. */
export function openDataFolder(folder: string): void {
  try {
    makePrivateFolder(folder)
    if (!statSync(folder).isDirectory()) throw new Error("not a folder")
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`Invalid DATA_DIR ${folder}: ${messageOf(cause)}`, { cause })
  }
}

/** Throws an `Error` if the SQLite file belongs to another program: the migrations would add their tables to it. */
export function checkDatabaseFile(dataDir: string): void {
  const tables = tablesIn(dataDir)
  if (tables.length === 0 || tables.includes(MIGRATIONS)) return
  throw new Error(
    `Invalid DATA_DIR ${dataDir}: ${nameIn(dataDir)} is the database of another program (table ${tables[0]})`,
  )
}

/** Throws an `Error` if the data folder has the secrets of an earlier start without its SQLite database. */
export function checkDatabaseIsNotLost({ DATABASE_URL, DATA_DIR }: Config): void {
  const secrets = secretsFile(DATA_DIR)
  if (DATABASE_URL !== undefined || !existsSync(secrets) || tablesIn(DATA_DIR).length > 0) return
  throw new Error(
    `Invalid DATA_DIR ${DATA_DIR}: no database in ${nameIn(DATA_DIR)}, but ${basename(secrets)} of an earlier start. ` +
      `Restore a backup (npm run admin -- backup restore FILE), or delete ${secrets} to begin with an empty shop`,
  )
}

/** Throws an `Error` if there is no SQLite database: a command would report an empty shop. */
export function checkDatabaseExists({ DATABASE_URL, DATA_DIR }: Config): void {
  if (DATABASE_URL !== undefined || tablesIn(DATA_DIR).length > 0) return
  throw new Error(
    `Invalid DATA_DIR ${DATA_DIR}: no database in ${nameIn(DATA_DIR)}. Start the shop once, or restore a backup`,
  )
}

function tablesIn(dataDir: string): readonly string[] {
  const file = databaseFile(dataDir)
  try {
    return tablesInSqliteFile(file)
  } catch (cause) {
    throw new Error(`Invalid DATA_DIR ${dataDir}: cannot open ${basename(file)}: ${messageOf(cause)}`, {
      cause,
    })
  }
}

function nameIn(dataDir: string): string {
  return basename(databaseFile(dataDir))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
