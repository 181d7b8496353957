import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"

/** Names of what the shop writes into its data folder; SQLite adds two endings to each database. */
const OURS =
  /^(boxoffice\.db|books\.db|sandbox\.db)(-wal|-shm|-journal)?$|^boxoffice\.lock(-journal)?$|^local-secrets\.json(\.new)?$/
const BACKUP = '{"boxoffice":"backup"'
const FOLDER_OF_ONE = 0o700
const FILE_OF_ONE = 0o600
/** Permission bits of group and others. */
const OTHERS = 0o077

/** Entries that a fresh volume contains. */
const OF_THE_DISK = ["lost+found"]

/** Creates a folder and its missing parents with mode 0700; an existing one is not changed. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  makePrivateFolder(dirname(resolve(folder)))
  try {
    // Not `recursive`: under /proc, which refuses new folders with ENOENT, Node would never return.
    mkdirSync(folder, { mode: FOLDER_OF_ONE })
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error
  }
}

/** Creates an empty file with mode 0600 for SQLite; an existing one is not changed. */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", FILE_OF_ONE))
  } catch (error) {
    if (errorCodeOf(error) !== "EEXIST") throw error
  }
}

/**
 * Removes the permissions of group and others from the data folder and the shop's files in it, backups too, also where an
 * earlier version created them. A folder with foreign files is not changed. Returns a message for each path that others
 * can still read; empty if all are private.
 */
export function restrictToOwner(folder: string): readonly string[] {
  const names = namesIn(folder)
  if (names === null) return []
  const owned = names.filter((name) => OURS.test(name) || isBackup(join(folder, name)))
  const others = names.filter((name) => !owned.includes(name) && !OF_THE_DISK.includes(name))
  return [
    ...owned.flatMap((name) => tighten(join(folder, name), FILE_OF_ONE)),
    ...(others.length === 0 ? tighten(folder, FOLDER_OF_ONE) : openFolder(folder, others)),
  ]
}

function openFolder(folder: string, others: readonly string[]): string[] {
  if (!isOpen(folder)) return []
  const [first, ...more] = others.toSorted()
  const rest = more.length > 0 ? ` and ${more.length} more` : ""
  return [
    `${folder} is readable by other users and contains files of others (${first}${rest}): use a separate folder ` +
      "or run chmod 700",
  ]
}

function tighten(path: string, mode: number): string[] {
  try {
    if (isOpen(path)) chmodSync(path, mode)
    return []
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return []
    return [`${path} is readable by other users: ${(error as Error).message}`]
  }
}

function isOpen(path: string): boolean {
  return (lstatSync(path).mode & OTHERS) !== 0
}

/** Null if the folder does not exist. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return null
    throw error
  }
}

/** Recognized by content: operators name backups freely. */
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
