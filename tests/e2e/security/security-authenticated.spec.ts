import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { observedDatabase } from "../../fixtures/stored-data"
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
/** Of a buyer with access, and of one who has not paid. */
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

attackTest("no link does anything in the name of whoever follows it", async (pick) => {
  const { count, conclude } = tally("links followed with a session")
  // A visit is counted for its affiliate, and looks after payments that are open.
  const backend = observedDatabase(shop.dataDir, [
    ...["affiliate_clicks", "gateway_events", "leases", "payment_attempts", "outbox"],
  ])
  const before = backend.written()
  const doings = ["", "1", "yes", "restart", "recreate", "edit", "abort"]
  for (const [path, name, [cookie, value]] of pick(
    everyOf(paths, [...parameters, "intent"], everyOf(cookies, doings)),
  )) {
    const asked = `${path}?${name}=${value}&intent=${value}`
    count(asked, away(await rawRequest(shop.url, asked, { headers: { cookie } })))
  }
  expect(JSON.parse(backend.written())).toEqual(JSON.parse(before))
  backend.close()
  conclude()
})

attackTest("no parameter leads whoever has a session to another site, nor does any form", async (pick) => {
  const { count, conclude } = tally("open redirects with a session")
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const intents = ["update", "sign-in", "edit"]
  for (const [path, name, [cookie, value]] of pick(
    everyOf(screens, parameters, everyOf(cookies, elsewhere)),
  )) {
    const query = new URLSearchParams({ [name]: value })
    const asked = `${path}?${query}`
    count(asked, away(await rawRequest(shop.url, asked, { headers: { cookie, referer: value } })))
    const body = new URLSearchParams({ intent: intents[value.length % 3] ?? "", plan: "3", [name]: value })
    const sent = { method: "POST", headers: { ...form, cookie }, body: body.toString() }
    count(`POST ${asked}`, away(await rawRequest(shop.url, asked, sent)))
  }
  conclude()
})

test("nothing of it was an error of ours", () => {
  expect(shop.logLines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
