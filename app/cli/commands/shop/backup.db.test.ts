import { execFileSync } from "node:child_process"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import { placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const OWNER_ONLY = 0o600
const PERMISSIONS = 0o777

let line: CommandLine
let file: string
beforeEach(async () => {
  line = await openCommandLine()
  file = join(line.folder, "backup.jsonl")
})
afterEach(() => line.close())

test("restore brings back a backup, and overwrites a database in use only with --replace", async () => {
  const order = await placed(line.backend)
  const { exitCode, output } = await line.command(`backup create ${file}`)
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^Backup written to .*backup\.jsonl/)])
  expect(statSync(file).mode & PERMISSIONS).toBe(OWNER_ONLY)
  const lost = await placed(line.backend)

  const refused = await line.command(`backup restore ${file}`)
  expect(refused).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/database is not empty.*No changes were made\.$/),
  })
  expect(await line.backend.billing.order(lost.id)).not.toBeNull()
  const restored = await line.command(`backup restore ${file} --replace`)
  expect(restored).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/backup of 2026-06-15T12.* 1 orders/),
  })
  expect(await line.backend.billing.order(order.id)).toEqual(order)
  expect(await line.backend.billing.order(lost.id)).toBeNull()
})

test("restore loads a backup into another shop's empty database", async () => {
  const order = await placed(line.backend)
  await line.command(`backup create ${file}`)
  const other = await openCommandLine("nobody")
  expect((await other.command(`backup restore ${file}`)).exitCode).toBe(0)
  expect(await other.backend.billing.order(order.id)).toEqual(order)
  await other.close()
})

test("restore into a database that a later version has migrated asks for an empty one, which takes the backup", async () => {
  const order = await placed(line.backend)
  await line.command(`backup create ${file}`)
  const database = new DatabaseSync(join(line.folder, "boxoffice.db"))
  database.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2026-06-15')")
  database.close()
  await expect(line.command(`backup restore ${file} --replace`)).rejects.toThrow(
    /9999-later is newer .*, or restore an older backup into an empty database\./,
  )
  const folder = join(line.folder, "empty")
  expect((await line.command(`backup restore ${file}`, "", { DATA_DIR: folder })).exitCode).toBe(0)
  const { output } = await line.command(`orders show ${order.id}`, "", { DATA_DIR: folder })
  expect(output).toContain(order.id)
})

test("backup replaces an existing file only when the new backup is complete", async () => {
  writeFileSync(file, "yesterday's")
  const { output } = await line.command(`backup create ${join(line.folder, "none", "backup.jsonl")}`)
  expect(output).toBe(`The folder ${join(line.folder, "none")} does not exist.`)
  await line.command(`backup create ${file}`)
  expect(readFileSync(file, "utf8")).toMatch(/^\{"boxoffice":"backup"/)
  expect(existsSync(`${file}.part`)).toBe(false)
})

test.each([
  ["a link to a device", (path: string) => symlinkSync("/dev/full", path), "a link"],
  ["a link to a file", (path: string) => symlinkSync(`${path}.target`, path), "a link"],
  ["a link to nothing", (path: string) => symlinkSync("nothing", path), "a link"],
  ["a folder", (path: string) => mkdirSync(path), "a folder"],
  ["a pipe", (path: string) => execFileSync("mkfifo", [path]), "a pipe or socket"],
])("backup and export reject %s as the file and leave it unchanged", async (_, make, kind) => {
  writeFileSync(`${file}.target`, "somebody's")
  for (const command of [
    "backup create FILE",
    "customers export ana+tv@example.test --file FILE --reason asked",
  ]) {
    for (const name of [file, `${file}.part`]) {
      make(name)
      const before = lstatSync(name)
      expect(await line.command(command.replace("FILE", file))).toEqual({
        exitCode: 1,
        output: `Cannot write ${name}: it is ${kind}, not a regular file. No changes were made.`,
      })
      expect(lstatSync(name).ino).toBe(before.ino)
      rmSync(name, { recursive: true })
    }
  }
  expect(readFileSync(`${file}.target`, "utf8")).toBe("somebody's")
})

// Creates its own device: a regression would otherwise replace one of the machine's, such as /dev/null.
test.skipIf(process.getuid?.() !== 0)(
  "backup rejects a device as the file and does not replace it",
  async () => {
    execFileSync("mknod", [file, "c", "1", "7"])
    const { exitCode, output } = await line.command(`backup create ${file}`)
    expect([exitCode, output]).toEqual([
      1,
      `Cannot write ${file}: it is a device, not a regular file. No changes were made.`,
    ])
    expect(lstatSync(file).isCharacterDevice()).toBe(true)
  },
)

test("backup overwrites the partial file of an interrupted backup", async () => {
  writeFileSync(`${file}.part`, "half of yesterday's")
  expect((await line.command(`backup create ${file}`)).exitCode).toBe(0)
  expect(readFileSync(file, "utf8")).toMatch(/^\{"boxoffice":"backup"/)
  expect(existsSync(`${file}.part`)).toBe(false)
})

/** The second backup contains the entry about the first one; the last line has counts and a checksum. */
function withoutAuditLog(backup: string): string[] {
  return backup.split("\n").filter((it) => !/^(\["audit_log"|\{"rows")/.test(it))
}

test("backup to standard output writes the same bytes as to a file, and restore accepts them", async () => {
  const order = await placed(line.backend)
  const { exitCode, output } = await line.command("backup create -")
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^Backup written to standard output\./)])
  await line.command(`backup create ${file}`)
  expect(withoutAuditLog(line.written())).toEqual(withoutAuditLog(readFileSync(file, "utf8")))
  expect(existsSync("-")).toBe(false)
  writeFileSync(file, line.written())
  expect((await line.command(`backup restore ${file} --replace`)).exitCode).toBe(0)
  expect(await line.backend.billing.order(order.id)).toEqual(order)
})

test("backup and doctor report accounts that do not balance, and restore rejects them", async () => {
  const order = await placed(line.backend)
  line.spoil(`update invoices set received = 1 where order_id = '${order.id}'`)
  expect((await line.command(`backup create ${file}`)).output).toMatch(/do not balance: invoices whose .*: 1/)
  expect((await line.command("doctor")).output).toMatch(/FAIL {2}accounts +invoices whose .*: 1/)
  expect((await line.command(`backup restore ${file} --replace`)).output).toMatch(
    /do not balance.*No changes were made/,
  )
})

test.each([
  ["backup restore /nowhere/backup.jsonl", 1, /^The folder \/nowhere does not exist\.$/],
  ["backup restore /dev/null", 1, /^Invalid backup: the file is empty\. No changes were made\.$/],
  ["backup restore /dev/null --replace=all", 2, /unknown option '--replace=all'/],
  ["backup create /dev/null --replace", 2, /unknown option '--replace'/],
])("%s fails with an error message", async (message, code, complaint) => {
  expect(await line.command(message)).toEqual({ exitCode: code, output: expect.stringMatching(complaint) })
})

test("backup verify tries a backup without changing the shop, and backup list says what was made and tried", async () => {
  expect((await line.command("backup list")).output).toBe(
    "No backup was made.\nNo backup was tried: backup verify FILE",
  )
  await placed(line.backend)
  await line.command(`backup create ${file}`)
  const kept = await placed(line.backend)
  const tried = await line.command(`backup verify ${file}`)
  expect(tried).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^The backup of 2026-06-15T12.* can be restored: .* 1 orders/),
  })
  expect(await line.backend.billing.order(kept.id)).not.toBeNull()
  writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, 3).join("\n"))
  const cut = await line.command(`backup verify ${file}`)
  expect([cut.exitCode, cut.output]).toEqual([1, expect.stringContaining("truncated")])
  const { backups, tried: listed } = JSON.parse((await line.command("backup list --json")).output)
  expect(backups).toEqual([{ at: "2026-06-15T12:00:00.000Z", place: file, size: expect.any(Number) }])
  expect(listed).toMatchObject([
    { kind: "tried", place: file, error: cut.output, rows: null },
    { kind: "tried", place: file, error: null, madeAt: "2026-06-15T12:00:00.000Z" },
  ])
  expect(backups[0].size).toBeGreaterThan(1_000)
  expect((await line.command("audit verify")).exitCode).toBe(0)
})
