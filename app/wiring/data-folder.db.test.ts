import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import {
  checkDatabaseExists,
  checkDatabaseFile,
  checkDatabaseIsNotLost,
  openDataFolder,
} from "./data-folder.server"
import { localSecrets } from "./generated-secrets.server"

let around: string
let folder: string
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "boxoffice-folder-"))
  folder = join(around, "shops", "data")
})
afterEach(() => rmSync(around, { recursive: true }))

const config = (changes: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, ...changes })
const database = (sql: string) => {
  const file = new DatabaseSync(join(folder, "boxoffice.db"))
  file.exec(sql)
  file.close()
}

test("the data folder is created with its parents", () => {
  openDataFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test.each([
  ["under a file", () => writeFileSync(join(around, "shops"), ""), /ENOTDIR/],
  [
    "that is a file",
    () => {
      mkdirSync(join(around, "shops"))
      writeFileSync(folder, "")
    },
    /not a folder/,
  ],
])("a data folder %s is refused with an error that names variable and folder", (_, prepare, reason) => {
  prepare()
  expect(() => openDataFolder(folder)).toThrow(`Invalid DATA_DIR ${folder}: `)
  expect(() => openDataFolder(folder)).toThrow(reason)
})

test.skipIf(process.getuid?.() === 0)("a data folder without write permission is refused", () => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o500)
  expect(() => openDataFolder(folder)).toThrow(/Invalid DATA_DIR .*: EACCES/)
})

test.runIf(process.platform === "linux")("a data folder under /proc is refused at once", () => {
  expect(() => openDataFolder("/proc/boxoffice/data")).toThrow(
    /^Invalid DATA_DIR \/proc\/boxoffice\/data: ENOENT/,
  )
})

test("the database of another program is refused and stays unchanged", () => {
  openDataFolder(folder)
  database("create table albums (id integer)")
  const before = readFileSync(join(folder, "boxoffice.db"))
  expect(() => checkDatabaseFile(folder)).toThrow(
    `Invalid DATA_DIR ${folder}: boxoffice.db is the database of another program (table albums)`,
  )
  expect(readFileSync(join(folder, "boxoffice.db"))).toEqual(before)
})

test("a file that is no database is refused with an error that names it", () => {
  openDataFolder(folder)
  writeFileSync(join(folder, "boxoffice.db"), "a letter to the operator".repeat(100))
  expect(() => checkDatabaseFile(folder)).toThrow(
    `Invalid DATA_DIR ${folder}: cannot open boxoffice.db: file is not a database`,
  )
})

test("a missing or empty database beside the secrets of an earlier start is refused, and one with tables is not", () => {
  openDataFolder(folder)
  expect(() => checkDatabaseIsNotLost(config())).not.toThrow()
  localSecrets(folder)
  const refused = `Invalid DATA_DIR ${folder}: no database in boxoffice.db, but local-secrets.json`
  expect(() => checkDatabaseIsNotLost(config())).toThrow(refused)
  writeFileSync(join(folder, "boxoffice.db"), "")
  expect(() => checkDatabaseIsNotLost(config())).toThrow(refused)
  expect(() => checkDatabaseIsNotLost(config({ DATABASE_URL: "postgres://db/shop" }))).not.toThrow()
  database("create table kysely_migration (name text)")
  expect(() => checkDatabaseIsNotLost(config())).not.toThrow()
})

test("a command needs a database", () => {
  expect(() => checkDatabaseExists(config())).toThrow(
    `Invalid DATA_DIR ${folder}: no database in boxoffice.db`,
  )
  expect(() => checkDatabaseExists(config({ DATABASE_URL: "postgres://db/shop" }))).not.toThrow()
  openDataFolder(folder)
  database("create table kysely_migration (name text)")
  expect(() => checkDatabaseExists(config())).not.toThrow()
})
