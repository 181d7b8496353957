import pg from "pg"
import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { type FaultProxy, openFaultProxy } from "../../fakes/tcp-fault-proxy"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { errorLinesOf } from "../../support/server/logged-errors"
import { startShop, type TestServer } from "../../support/server/server-process"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep, deepUnless } from "../tags"

needsPackages("postgresql")

let cluster: Cluster
test.beforeAll(async () => {
  cluster = await startPostgres()
})
test.afterAll(() => cluster.stop())

let database: string
let billing: FaultProxy
let shop: TestServer
test.beforeEach(async () => {
  database = await freshDatabase(cluster.url)
  const { hostname: host, port } = new URL(database)
  billing = await openFaultProxy({ host, port: Number(port) })
  const DATABASE_URL = Object.assign(new URL(database), { port: String(billing.port) }).href
  // With the timeout of production: a busy machine opens a connection in seconds.
  shop = await startShop({ env: { DATABASE_URL } })
})
test.afterEach(async () => {
  billing.set("pass")
  await shop.stop()
  await billing.close()
})

const faults = [
  { fault: "refuse", what: "refuses connections", prefix: "", translation: enEn },
  { fault: "hang", what: "does not answer", prefix: "/es-es", translation: esEs },
  { fault: "html", what: "answers with HTML", prefix: "", translation: enEn },
  { fault: "cut", what: "closes the connection during a response", prefix: "/es-es", translation: esEs },
] as const

for (const { fault, what, prefix, translation } of faults) {
  test(
    `while the database ${what}, the buyer gets an error page, and a retry creates one order`,
    deepUnless(fault === "refuse"),
    async () => {
      const review = await chooseAndPay(new Browser(), { shop, prefix })

      billing.set(fault)
      const failed = await goToGateway(review)
      expect([502, 503]).toContain(failed.status)
      const output = failed.status === 503 ? translation.error.unavailable : translation.error.unreadable
      expect(failed.text).toContain(output)
      expect(failed.text).toContain(translation.error.kept)
      const id = failed.headers.get("x-request-id")
      expect(failed.text).toContain(translation.error.reference.replace("{{id}}", String(id)))
      expect(await errorLinesOf(shop, failed)).toHaveLength(1)

      billing.set("pass")
      let again = failed
      // The shop looks twice a second for a database that gave no answer.
      const retried = async () => {
        again = await failed.follow(translation.error.retry)
        return again.status
      }
      await expect.poll(retried, { timeout: 60_000 }).toBe(200)
      expect(again.url.href).toBe(review.url.href)
      const payment = await goToGateway(again)
      expect(payment.url.origin).toBe(shop.sandboxUrl)
      await waitForAccess(await payAt(payment))
      expect(await counted()).toEqual({ orders: 1, payments: 1, services: 1, received: 7900 })
    },
  )
}

test(
  "while the catalogue cannot be read, the cached one is shown and ordering is paused until the database is back",
  deep,
  async () => {
    const browser = new Browser()
    // A shop that has just started may not have read the catalogue yet.
    await browser.visit(`${shop.url}/checkout/es-es`)
    billing.set("refuse")
    const refused = await chooseAndPay(browser, { shop, prefix: "/es-es" })
    expect(refused.status).toBe(503)
    expect(refused.text).toContain(esEs.checkout.paused)
    expect(refused.field("plan")).toBe("3")
    expect(await errorLinesOf(shop, refused)).toHaveLength(1)
    expect((await new Browser().visit(`${shop.url}/checkout/`)).text).toContain(enEn.checkout.paused)

    billing.set("pass")
    await expect(async () => {
      const again = await refused.submit({ button: { text: esEs.error.retry } })
      expect(again.text).not.toContain(esEs.checkout.paused)
    }).toPass({ timeout: 20_000 })
    const review = await chooseAndPay(browser, { shop, prefix: "/es-es" })
    expect(review.url.pathname).toBe("/checkout/es-es/creatingOrder")
  },
)

test("a shop whose database is unavailable at the start exits with an error message", deep, async () => {
  billing.set("refuse")
  await expect(shop.restart()).rejects.toThrow(/did not start.*Database unavailable/)
})

/** Row counts and received amount, read from the database without the proxy. */
async function counted() {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query(
    `select (select count(*)::int from orders) as orders, (select count(*)::int from payments) as payments,
     (select count(*)::int from services) as services, (select sum(amount)::int from payments) as received`,
  )
  await client.end()
  return rows[0]
}
