import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { lockDataFolder } from "./data-folder-lock.server"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-lock-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const silent = pino({ enabled: false })
const onSqlite = () => ({ DATABASE_URL: undefined, DATA_DIR: folder })
const lock = (waitMs: number) => lockDataFolder(onSqlite(), silent, waitMs)

test("a second server on the same SQLite database does not start, and says why", async () => {
  const unlock = await lock(0)
  await expect(lock(0)).rejects.toThrow(`Another server uses DATA_DIR ${folder}. Stop it first`)
  unlock()
})

test("a server that starts while the former one stops waits for it", async () => {
  const unlock = await lock(0)
  const next = lock(60_000)
  unlock()
  ;(await next)()
})

test("a server that was killed leaves no lock behind", async () => {
  const unlock = await lock(0)
  unlock()
  const hold = `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("begin exclusive"); console.log("held"); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ["-e", hold, join(folder, "boxoffice.lock")])
  await once(other.stdout, "data")
  await expect(lock(0)).rejects.toThrow("Another server")
  other.kill("SIGKILL")
  await once(other, "exit")
  ;(await lock(0))()
})

test("instances on PostgreSQL share a folder, and lock nothing", async () => {
  const shared = { DATABASE_URL: "postgres://db/shop", DATA_DIR: folder }
  const [one, other] = [await lockDataFolder(shared, silent, 0), await lockDataFolder(shared, silent, 0)]
  one()
  other()
})

test("the lock is private to the shop’s user, as its database is", async () => {
  const unlock = await lock(0)
  expect(statSync(join(folder, "boxoffice.lock")).mode & 0o077).toBe(0)
  unlock()
})
