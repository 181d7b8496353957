import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, readSync } from "node:fs"
import { join } from "node:path"

/** Names of what the shop writes into its data folder; SQLite adds two endings to each database. */
const OURS = /^(boxoffice\.db|books\.db|sandbox\.db)(-wal|-shm|-journal)?$|^local-secrets\.json(\.new)?$/
const BACKUP = '{"boxoffice":"backup"'
const FOLDER_OF_ONE = 0o700
const FILE_OF_ONE = 0o600
/** Anybody but the owner. */
const OTHERS = 0o077

/** What lies in a folder of every disk and is nobody's data. */
const OF_THE_DISK = ["lost+found"]

/** Makes a folder that only its owner may look into; one that is there stays as it is. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_OF_ONE })
}

/** Makes an empty file that only its owner may read, as SQLite takes it; one that is there stays as it is. */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", FILE_OF_ONE))
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error
  }
}

/**
 * Keeps the data folder and what the shop has written into it, backups too, from everybody but their owner, also
 * where an earlier version made them. A folder that holds other things may be somebody else's business: it stays as it
 * is. Answers in words what others can still see; nothing where all is private.
 */
export function keepPrivate(folder: string): readonly string[] {
  const names = namesIn(folder)
  if (names === null) return []
  const ours = names.filter((name) => OURS.test(name) || isBackup(join(folder, name)))
  const others = names.filter((name) => !ours.includes(name) && !OF_THE_DISK.includes(name))
  return [
    ...ours.flatMap((name) => tighten(join(folder, name), FILE_OF_ONE)),
    ...(others.length === 0 ? tighten(folder, FOLDER_OF_ONE) : openFolder(folder, others)),
  ]
}

function openFolder(folder: string, others: readonly string[]): string[] {
  if (!isOpen(folder)) return []
  const [first, ...more] = others.toSorted()
  const rest = more.length > 0 ? ` and ${more.length} more` : ""
  return [
    `${folder} is open to others on this machine, and stays so because it holds ${first}${rest}, which is not the ` +
      "shop's. Give the shop a folder of its own, or close this one: chmod 700",
  ]
}

function tighten(path: string, mode: number): string[] {
  try {
    if (isOpen(path)) chmodSync(path, mode)
    return []
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return []
    return [`${path} is open to others on this machine, and cannot be closed: ${(error as Error).message}`]
  }
}

function isOpen(path: string): boolean {
  return (lstatSync(path).mode & OTHERS) !== 0
}

/** Null: there is no such folder. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return null
    throw error
  }
}

/** By what it begins with: the operator names backups as he likes. */
function isBackup(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false
    const file = openSync(path, "r")
    try {
      const start = Buffer.alloc(BACKUP.length)
      readSync(file, start)
      return start.toString() === BACKUP
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null
}
