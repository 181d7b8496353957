import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { observedDatabase, unsentMails } from "../../fixtures/stored-data"
import {
  elsewhere,
  everyOf,
  findViolation,
  leadsAway,
  parameters,
  resources,
  screens,
  tally,
} from "../../support/attacks/attack-inputs"
import { Browser } from "../../support/browser/no-script-browser"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { startShop, type TestServer } from "../../support/server/server-process"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"

let shop: TestServer
/** Cookies of a buyer with credentials, and of a buyer who has not paid. */
const cookies: string[] = []
test.beforeAll(async () => {
  shop = await startShop({ env: { FRAUD_CHECK: "off" } })
  for (const paid of [true, false]) {
    const browser = new Browser()
    const email = `buyer-${paid}@example.test`
    const payment = await goToGateway(await chooseAndPay(browser, { shop, email }))
    if (paid) await waitForAccess(await payAt(payment))
    cookies.push(browser.cookies(new URL(`${shop.url}/checkout/`)) ?? "")
  }
})
test.afterAll(() => shop.stop())

const paths = [...screens, ...resources]
const away = (response: RawResponse) => findViolation(response) ?? leadsAway(response, shop)

attackTest("no GET request with a session has side effects", async (pick) => {
  const { count, conclude } = tally("links followed with a session")
  // The receipts of the purchases above are sent in the background.
  await expect.poll(() => unsentMails(shop.dataDir), { timeout: 30_000 }).toBe(0)
  // A visit records an affiliate click and polls open payments.
  const backend = observedDatabase(shop.dataDir, [
    "affiliate_clicks",
    "purchase_steps",
    "gateway_events",
    "payment_attempts",
    "outbox",
  ])
  const before = backend.written()
  const doings = ["", "1", "yes", "restart", "recreate", "edit", "abort"]
  for (const [path, name, [cookie, value]] of pick(
    everyOf(paths, [...parameters, "intent"], everyOf(cookies, doings)),
  )) {
    const requested = `${path}?${name}=${value}&intent=${value}`
    count(requested, away(await rawRequest(shop.url, requested, { headers: { cookie } })))
  }
  expect(JSON.parse(backend.written())).toEqual(JSON.parse(before))
  backend.close()
  conclude()
})

attackTest("no parameter and no form redirects a session to another site", async (pick) => {
  const { count, conclude } = tally("open redirects with a session")
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const intents = ["update", "sign-in", "edit"]
  for (const [path, name, [cookie, value]] of pick(
    everyOf(screens, parameters, everyOf(cookies, elsewhere)),
  )) {
    const query = new URLSearchParams({ [name]: value })
    const requested = `${path}?${query}`
    count(requested, away(await rawRequest(shop.url, requested, { headers: { cookie, referer: value } })))
    const body = new URLSearchParams({ intent: intents[value.length % 3] ?? "", plan: "3", [name]: value })
    const sent = { method: "POST", headers: { ...form, cookie }, body: body.toString() }
    count(`POST ${requested}`, away(await rawRequest(shop.url, requested, sent)))
  }
  conclude()
})

test("the requests with a session caused no error log line", () => {
  expect(shop.logLines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
