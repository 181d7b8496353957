import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { makePrivateFile, makePrivateFolder, restrictToOwner } from "./private-files.server"

let around: string
let folder: string
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "boxoffice-private-"))
  folder = join(around, "data")
})
afterEach(() => rmSync(around, { recursive: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Creates files with the permissions of an earlier version. */
function open(...names: readonly string[]): void {
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  for (const name of names) {
    writeFileSync(join(folder, name), name.startsWith("backup") ? '{"boxoffice":"backup","format":1}\n' : "")
    chmodSync(join(folder, name), 0o644)
  }
}

test("new files and folders are readable by their owner alone, whatever the umask", () => {
  const before = process.umask(0)
  makePrivateFolder(folder)
  makePrivateFile(join(folder, "boxoffice.db"))
  process.umask(before)
  expect([modeOf(folder), modeOf(join(folder, "boxoffice.db"))]).toEqual(["700", "600"])
})

test("permissions of folder, databases, secrets and backups of an earlier version are restricted", () => {
  const owned = [
    "boxoffice.db",
    "boxoffice.db-wal",
    "boxoffice.db-shm",
    "sandbox.db",
    "local-secrets.json",
    "books.db",
    "books.db-wal",
    "backup of november",
  ]
  open(...owned)
  expect(restrictToOwner(folder)).toEqual([])
  expect(modeOf(folder)).toBe("700")
  for (const name of owned) expect([name, modeOf(join(folder, name))]).toEqual([name, "600"])
})

test("a shared folder keeps its permissions with a warning, and the shop's files in it are restricted", () => {
  open("boxoffice.db", "notes of the operator", "photo.png")
  expect(restrictToOwner(folder)).toEqual([
    expect.stringMatching(/files of others \(notes of the operator and 1 more\).*chmod 700/),
  ])
  expect(modeOf(folder)).toBe("755")
  expect(modeOf(join(folder, "boxoffice.db"))).toBe("600")
  expect(modeOf(join(folder, "photo.png"))).toBe("644")
})

test("a shared folder that only its owner can read causes no warning", () => {
  open("boxoffice.db", "photo.png")
  chmodSync(folder, 0o700)
  expect(restrictToOwner(folder)).toEqual([])
})

test("the target of a foreign symbolic link keeps its permissions", () => {
  open("boxoffice.db")
  const elsewhere = join(around, "elsewhere")
  writeFileSync(elsewhere, '{"boxoffice":"backup"}')
  chmodSync(elsewhere, 0o644)
  symlinkSync(elsewhere, join(folder, "link"))
  restrictToOwner(folder)
  expect(modeOf(elsewhere)).toBe("644")
})

test("a missing folder is not created", () => {
  expect(restrictToOwner(folder)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})
