import { DatabaseSync } from "node:sqlite"
import { isBusy } from "./database-errors.server"

/**
 * Locks a file of its own for this process, by SQLite's exclusive lock, which the operating system ends with the process however it ends.
 * Returns the function that unlocks it; null while another process has it.
 */
export function lockFile(file: string): (() => void) | null {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec("begin exclusive")
    return () => database.close()
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}
