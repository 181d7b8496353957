import { expect } from "playwright/test"
import { calls } from "~/billing-api/contract/endpoints"
import { limits } from "~/security/rate-limits.server"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { operatorBrowser } from "../../fixtures/signed-in-operator"
import {
  everyOf,
  findViolation,
  parameters,
  resources,
  screens,
  tally,
} from "../../support/attacks/attack-inputs"
import { consolePatterns } from "../../support/attacks/console-pages"
import { names } from "../../support/attacks/fuzz-dictionary"
import { Browser } from "../../support/browser/no-script-browser"
import { type Cluster, freshDatabase, startPostgres } from "../../support/db/postgres"
import { rawRequest } from "../../support/http/raw-request"
import { startShop, type TestServer } from "../../support/server/server-process"
import { attackTest } from "../attack-test"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql")

const key = "k".repeat(40)
let cluster: Cluster
let databaseUrl: string
let shop: TestServer
/** A second instance on the same database. */
let second: TestServer
test.beforeAll(async () => {
  cluster = await startPostgres()
  databaseUrl = await freshDatabase(cluster.url)
  const env = {
    DATABASE_URL: databaseUrl,
    BILLING_API_KEY: key,
    FRAUD_CHECK: "off",
    TRUSTED_PROXIES: "loopback",
  }
  shop = await startShop({ env })
  second = await startShop({ env })
})
test.afterAll(async () => {
  await second.stop()
  await shop.stop()
  await cluster.stop()
})

/** Texts with a NUL, which SQLite stores and PostgreSQL rejects. */
const unkeepable = ["\0", "a\0b@example.test", "YEAR15\0"]
const form = { "content-type": "application/x-www-form-urlencoded" }
const chosen = { intent: "pay", plan: "3", email: "ana@example.test", gateway: "offshore" }

attackTest("text with a NUL causes no error in any link or form on PostgreSQL", async (pick) => {
  const { count, conclude } = tally("text with a NUL")
  const paths = [...screens, ...resources]
  for (const [path, name, text] of pick(everyOf(paths, [...parameters, "line"], unkeepable))) {
    const requested = `${path}?${name}=${encodeURIComponent(text)}`
    count(requested, findViolation(await rawRequest(shop.url, requested)))
  }
  const intents = ["pay", "apply-promo"]
  for (const [path, name, [text, intent]] of pick(everyOf(paths, names, everyOf(unkeepable, intents)))) {
    const body = new URLSearchParams({ ...chosen, intent, [name]: text }).toString()
    const response = await rawRequest(shop.url, path, { method: "POST", headers: form, body })
    count(`${path} ${name}=${text}`, findViolation(response))
  }
  conclude()
})

attackTest("text with a NUL causes no error in any call of the billing API on PostgreSQL", async (pick) => {
  const { count, conclude } = tally("calls with a NUL")
  for (const [name, { method, request: body }] of Object.entries(calls)) {
    for (const [field, text] of pick(everyOf(Object.keys(body.shape), unkeepable), 1)) {
      const query = method === "GET" ? `?${new URLSearchParams({ [field]: text })}` : ""
      const response = await rawRequest(shop.url, `/checkout/api/${name}${query}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(method === "POST" && { body: JSON.stringify({ [field]: text }) }),
      })
      count(`${name} ${field}=${text}: ${response.body}`, findViolation(response))
    }
  }
  conclude()
})

attackTest(
  "text with a NUL causes no error in any address, search or form of the console on PostgreSQL",
  async (pick) => {
    const { count, conclude } = tally("text with a NUL in the console")
    const marta = await operatorBrowser({ ...shop, databaseUrl }, "owner")
    const headers = { cookie: marta.cookie(), origin: shop.url }
    const sought = "?q=a%00b&promotion=%00&country=%00&from=%00&older=1-%00&before=%00&product=%00"
    const patterns = await consolePatterns()
    for (const [pattern, id] of pick(everyOf(patterns, ["%00", "a%00b", "%0%000"]))) {
      const path = pattern.replace(/:\w+/, id)
      const response = await rawRequest(shop.url, path + sought, { headers })
      count(path, findViolation(response))
      const body = "key=%00&action=add-note&text=%00&reason=a%00b&target=%00&email=%00&code=%00&password=%00"
      const posted = await rawRequest(shop.url, path, {
        method: "POST",
        headers: { ...form, ...headers },
        body,
      })
      count(`POST ${path}`, findViolation(posted))
    }
    conclude()
  },
)

test("a buyer whose link, promo code and email contain a NUL can buy on PostgreSQL", async () => {
  const browser = new Browser()
  await browser.visit(`${shop.url}/checkout/?promocode=%00YEAR15%0%000&email=%00ana%40example.test`)
  const review = await chooseAndPay(browser, { shop, email: "an\0a@example.test" })
  await waitForAccess(await payAt(await goToGateway(review)))
})

test("rate limits are shared by all instances and counted per client", deep, async () => {
  const guess = (nth: number, address: string) => {
    const body = new URLSearchParams({ intent: "apply-promo", plan: "3", promoCode: `GUESS${nth}` })
    const headers = { ...form, "x-forwarded-for": address }
    const { url } = nth % 2 === 0 ? shop : second
    return rawRequest(url, "/checkout/", { method: "POST", headers, body: body.toString() })
  }
  const statuses: number[] = []
  for (let nth = 0; nth < limits.wrongCodesOfAddress + 20; nth++)
    statuses.push((await guess(nth, "93.184.216.34")).status)
  expect(statuses.filter((it) => it === 422)).toHaveLength(limits.wrongCodesOfAddress)
  expect(statuses.slice(-20)).toEqual(Array(20).fill(429))
  expect((await guess(0, "93.184.216.35")).status).toBe(422)
})

test("the requests to PostgreSQL shops caused no error log line", () => {
  expect(shop.logLines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
