import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect } from "playwright/test"
import { type BackupRow, writeBackup } from "~/billing/embedded/backup/backup-format.server"
import { latestMigration } from "~/billing/embedded/db/migrate.server"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { serverProgram } from "../../../scripts/setup/prepare.mjs"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql")

const KILLS = 4
const CLICKS = 6_000

let cluster: Cluster
test.beforeAll(async () => {
  cluster = await startPostgres()
})
test.afterAll(() => cluster.stop())

/**
 * Rows of a backup without header and digest line, which differ between backups of the same data, and without the audit log,
 * which names each backup.
 */
const rowsIn = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(1, -2)
    .filter((row) => !row.startsWith('["audit_log"'))

/** The same backup with additional affiliate clicks, so that its restore takes long enough to be killed. */
async function larger(rows: readonly string[]): Promise<string> {
  const entries = async function* (): AsyncGenerator<readonly [string, BackupRow]> {
    for (const row of rows) yield JSON.parse(row)
    for (let at = 0; at < CLICKS; at++) {
      const who = { affiliate_id: "9", visitor: `visitor ${at}`, day: "2026-06-15" }
      yield ["affiliate_clicks", { ...who, referer: null, at }]
    }
  }
  const head = { schema: latestMigration, at: "2026-06-15T12:00:00.000Z" }
  const lines: string[] = []
  for await (const line of writeBackup(head, entries())) lines.push(line)
  return lines.join("")
}

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  test(
    `a restore killed midway leaves a complete database, from before or after the restore, on ${engine}`,
    deep,
    async () => {
      test.setTimeout(400_000)
      const folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
      const shared = engine === "PostgreSQL" && { DATABASE_URL: await freshDatabase(cluster.url) }
      const env = { DATA_DIR: folder, ...shared }
      const admin = (...args: string[]) => runServerCommand(["admin", ...args], env)
      const file = (name: string) => join(folder, `${name}.jsonl`)
      const [small, large, seen] = [file("small"), file("large"), file("seen")]
      const rows = async () => {
        expect(await admin("backup", "create", seen)).toMatchObject({ exitCode: 0, errorOutput: "" })
        return rowsIn(seen)
      }

      const shop = await startShop({ dataDir: folder, env: shared || {} })
      await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
      // Its background work changes rows: a message is sent, a pass of dunning moves its cursor.
      expect(await shop.stop()).toBe(0)
      await admin("backup", "create", small)
      const before = rowsIn(small)
      writeFileSync(large, await larger(before))
      const started = performance.now()
      expect(await admin("backup", "restore", large, "--replace")).toMatchObject({
        exitCode: 0,
        errorOutput: "",
      })
      const took = performance.now() - started
      const after = await rows()
      expect(after.length).toBe(before.length + CLICKS)

      let killed = 0
      for (let nth = 1; nth <= KILLS; nth++) {
        await admin("backup", "restore", small, "--replace")
        const args = [serverProgram, "admin", "backup", "restore", large, "--replace"]
        const child = spawnWithLifeline(args, { env: { PATH: process.env.PATH, ...env }, output: "pipe" })
        const ended = once(child, "close")
        await Promise.race([ended, pause((took * nth) / KILLS)])
        child.kill("SIGKILL")
        if ((await ended)[1] === "SIGKILL") killed++
        const left = await rows()
        expect([before.length, after.length]).toContain(left.length)
        expect(left).toEqual(left.length === before.length ? before : after)
      }
      expect((await admin("doctor")).output).toMatch(/ok {4}accounts +balanced/)
      process.stdout.write(`${engine}: restores killed -9: ${killed}, partial databases: 0\n`)
      expect(killed).toBeGreaterThan(0)
      rmSync(folder, { recursive: true })
    },
  )
}
