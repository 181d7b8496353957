import pg from "pg"
import { expect, test } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { type FaultProxy, openFaultProxy } from "../../fakes/tcp-fault-proxy"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { errorLinesOf } from "../../support/server/logged-errors"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep, deepUnless } from "../tags"

let cluster: Cluster
test.beforeAll(async () => {
  cluster = await startPostgres()
})
test.afterAll(() => cluster.stop())

let database: string
let books: FaultProxy
let shop: TestServer
test.beforeEach(async () => {
  database = await freshDatabase(cluster.url)
  const { hostname: host, port } = new URL(database)
  books = await openFaultProxy({ host, port: Number(port) })
  const DATABASE_URL = Object.assign(new URL(database), { port: String(books.port) }).href
  shop = await startShop({ env: { DATABASE_URL, UPSTREAM_TIMEOUT_MS: "500" } })
})
test.afterEach(async () => {
  books.set("pass")
  await shop.stop()
  await books.close()
})

const faults = [
  { fault: "refuse", what: "refuse connections", prefix: "", words: enEn },
  { fault: "hang", what: "do not answer", prefix: "/es-es", words: esEs },
  { fault: "html", what: "answer with a page", prefix: "", words: enEn },
  { fault: "cut", what: "break off their answer", prefix: "/es-es", words: esEs },
] as const

for (const { fault, what, prefix, words } of faults) {
  test(
    `while the books ${what}, the buyer reads what happened, and the next try makes one order`,
    deepUnless(fault === "refuse"),
    async () => {
      const review = await chooseAndPay(new Browser(), { shop, prefix })

      books.set(fault)
      const failed = await goToGateway(review)
      expect([502, 503]).toContain(failed.status)
      const said = failed.status === 503 ? words.error.unavailable : words.error.unreadable
      expect(failed.text).toContain(said)
      expect(failed.text).toContain(words.error.kept)
      const id = failed.headers.get("x-request-id")
      expect(failed.text).toContain(words.error.reference.replace("{{id}}", String(id)))
      expect(await errorLinesOf(shop, failed)).toHaveLength(1)

      books.set("pass")
      const again = await failed.follow(words.error.retry)
      expect(again.url.href).toBe(review.url.href)
      const payment = await goToGateway(again)
      expect(payment.url.origin).toBe(shop.sandboxUrl)
      await waitForAccess(await payAt(payment))
      expect(await counted()).toEqual({ orders: 1, payments: 1, services: 1, received: 7900 })
    },
  )
}

test(
  "while the price list cannot be read, the last one is shown, nothing can be ordered, and trying again works",
  deep,
  async () => {
    const browser = new Browser()
    books.set("refuse")
    const refused = await chooseAndPay(browser, { shop, prefix: "/es-es" })
    expect(refused.status).toBe(503)
    expect(refused.text).toContain(esEs.checkout.paused)
    expect(refused.field("plan")).toBe("3")
    expect(await errorLinesOf(shop, refused)).toHaveLength(1)
    expect((await new Browser().visit(`${shop.url}/checkout/`)).text).toContain(enEn.checkout.paused)

    books.set("pass")
    const review = await chooseAndPay(browser, { shop, prefix: "/es-es" })
    expect(review.url.pathname).toBe("/checkout/es-es/creatingOrder")
  },
)

test("a shop whose books stay silent while it starts ends with words", deep, async () => {
  books.set("refuse")
  await expect(shop.restart()).rejects.toThrow(/did not start.*books/i)
})

/** What the database holds, asked past the proxy. */
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
