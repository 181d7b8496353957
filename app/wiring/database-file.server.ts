import { existsSync } from "node:fs"
import { join } from "node:path"

/** The name that versions before migration `0020-standard-names` gave the file. */
const FORMER_NAME = "books.db"

/** Returns the path of the SQLite file in the data folder. A file under the former name stays in use. */
export function databaseFile(dataDir: string): string {
  const file = join(dataDir, "boxoffice.db")
  const former = join(dataDir, FORMER_NAME)
  return existsSync(former) && !existsSync(file) ? former : file
}
