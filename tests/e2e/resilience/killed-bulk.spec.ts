import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { runAdmin } from "../../fixtures/signed-in-operator"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

const SERVICES = 400
const KILLS = 3

function inDatabase<T>({ dataDir }: TestServer, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, "boxoffice.db"))
  database.exec("PRAGMA busy_timeout = 5000")
  const result = work(database)
  database.close()
  return result
}

/** Copies of a row of a table, each with its own texts in some columns. */
function copyRows(database: DatabaseSync, table: string, own: Readonly<Record<string, string>>): void {
  const columns = database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table)
  const names = columns.map(({ name }) => String(name))
  const values = names.map((name) => own[name] ?? name)
  database.exec(`
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${SERVICES - 1})
    INSERT INTO ${table} (${names}) SELECT ${values} FROM n, (SELECT * FROM ${table} LIMIT 1)`)
}

const countOf = (shop: TestServer, query: string) =>
  inDatabase(shop, (database) => Number(Object.values(database.prepare(query).get() ?? {})[0]))

const done = (shop: TestServer) => countOf(shop, "SELECT count(*) FROM bulk_items WHERE state = 'done'")

test(
  "a shop that is killed while it gives days to hundreds of services gives them to each once",
  deep,
  async () => {
    const shop = await startShop()
    await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
    inDatabase(shop, (database) => {
      database.exec("PRAGMA foreign_keys = OFF")
      copyRows(database, "orders", {
        id: "'copy-' || n",
        one_time_key: "'copy-' || n",
        service_id: "'s-' || n",
      })
      copyRows(database, "services", { id: "'s-' || n", order_id: "'copy-' || n", username: "'TV' || n" })
    })
    await runAdmin(shop, "bulk", "extend", "--days", "2", "--reason", "outage", "--confirm")
    const between: number[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const wanted = (SERVICES * kill) / (KILLS + 1)
      await expect.poll(() => done(shop), { timeout: 60_000, intervals: [5] }).toBeGreaterThan(wanted)
      await shop.kill9()
      between.push(done(shop))
      // The lease of the dead process is over.
      inDatabase(shop, (database) =>
        database.prepare("UPDATE outbox SET due = 0, renewed_until = 0 WHERE topic = 'bulk'").run(),
      )
      await shop.restart()
    }
    await expect.poll(() => done(shop), { timeout: 60_000 }).toBe(SERVICES)
    expect(between.filter((it) => it > 0 && it < SERVICES).length).toBeGreaterThan(0)
    expect(countOf(shop, "SELECT count(*) FROM services WHERE extra_days = 2")).toBe(SERVICES)
    expect(countOf(shop, "SELECT count(*) FROM service_events WHERE kind = 'extended'")).toBe(SERVICES)
    expect(
      countOf(shop, "SELECT count(DISTINCT subject) FROM audit_log WHERE action = 'extend-service'"),
    ).toBe(SERVICES + 1)
    expect(await runAdmin(shop, "audit", "verify")).not.toContain("broken")
    await shop.stop()
  },
)
