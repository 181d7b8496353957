import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { allWritten, unsentMails } from "../../fixtures/stored-data"
import { everyOf, findViolation, resources, screens, tally } from "../../support/attacks/attack-inputs"
import { Browser } from "../../support/browser/no-script-browser"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const headers = { "content-type": "application/x-www-form-urlencoded" }

attackTest("ids of another customer open, show and change nothing", async (pick) => {
  const buy = async () => {
    const browser = new Browser()
    const review = await chooseAndPay(browser, { shop })
    const paid = await waitForAccess(await payAt(await goToGateway(review)))
    const line = /line=([\w-]+)/.exec(paid.body)?.[1] ?? ""
    const order = /order ([A-Z0-9]{10})/.exec(paid.text)?.[1] ?? ""
    return { browser, line, order, username: /TV[0-9A-Z]{8}/.exec(paid.text)?.[0] ?? "nobody" }
  }
  const [own, mine] = [await buy(), await buy()]
  expect([own.line, own.order]).not.toContain("")
  const cookie = mine.browser.cookies(new URL(`${shop.url}/checkout/success`)) ?? ""
  const shows = ({ body }: RawResponse) =>
    body.includes(own.username) ? "shows another customer's credentials" : null
  // The receipts of the purchases above are sent in the background.
  await expect.poll(() => unsentMails(shop.dataDir), { timeout: 30_000 }).toBe(0)
  const before = allWritten(shop.dataDir)
  const { count, conclude } = tally("foreign ids")
  const names = ["serviceid", "line", "orderid", "order", "id", "resume"]
  const ids = [
    own.line,
    own.order,
    `${own.line}&key=x`,
    `${own.line}&key=${"A".repeat(43)}`,
    `${own.order}.x`,
  ]
  for (const [path, name, id] of pick(everyOf([...screens, ...resources], names, ids))) {
    const response = await rawRequest(shop.url, `${path}?${name}=${id}`, { headers: { cookie } })
    count(`${path} ${name}`, findViolation(response) ?? shows(response))
  }
  const intents = [
    "restart",
    "recreate",
    "device",
    "notes",
    "password",
    "upsell",
    "create-line",
    "abort",
    "edit",
  ]
  for (const [path, intent, id] of pick(everyOf(screens, intents, [own.line, own.order]))) {
    const fields = {
      intent,
      serviceid: id,
      line: id,
      mac: "00:1A:79:12:34:56",
      notes: "mine now",
      confirm: "yes",
    }
    const body = new URLSearchParams({ ...fields, password: "correct horse battery" })
    const response = await rawRequest(shop.url, path, {
      method: "POST",
      body: `${body}`,
      headers: { ...headers, cookie },
    })
    count(`${path} ${intent}`, findViolation(response) ?? shows(response))
  }
  const result = (text: string) => [
    text.includes("mine now"),
    text.includes("00:1A:79:12:34:56"),
    text.includes(own.username),
  ]
  expect(result(allWritten(shop.dataDir))).toEqual(result(before))
  expect((await own.browser.visit(`${shop.url}/checkout/success`)).text).toContain(own.username)
  conclude()
})
