import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { signInLink } from "../../fixtures/sign-in-link"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { everyOf, findViolation, tally } from "../../support/attacks/attack-inputs"
import { areSimilar, fastestTimes } from "../../support/attacks/similar-times"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { rawRequest } from "../../support/http/raw-request"
import { runServerCommand } from "../../support/server/run-server-command"
import { attackTest } from "../attack-test"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(underAttack)
})

/** Client addresses used so far. Every browser uses a new one. */
let addresses = 0
const newAddress = () => `93.184.${217 + Math.floor(++addresses / 250)}.${addresses % 250}`
const browserAt = (address: string) =>
  new Browser({ "x-forwarded-for": address, "user-agent": BROWSER_AGENT })

test("responses do not reveal whether an email is known", async () => {
  const known = uniqueEmail()
  await goToGateway(await chooseAndPay(browserAt(newAddress()), { shop, email: known }))
  const seen = async (email: string) => {
    const browser = browserAt(newAddress())
    const entered = await browser.visit(`${shop.url}/checkout/?email=${encodeURIComponent(email)}`)
    const signIn = await browser.visit(`${shop.url}/checkout/?signin`)
    const fields = { email, password: "wrong horse" }
    const refused = await signIn.submit({ button: { value: "sign-in" }, fields })
    const sent = { ...fields, existing: "yes", plan: "12", gateway: "offshore", key: "k1", intent: "pay" }
    const body = new URLSearchParams(sent)
    const reseller = await browser.post(`${shop.url}/checkout/resellers`, { body })
    const pages = [entered, refused, reseller].map(({ status, text }) => `${status} ${text}`)
    return pages.join("\n").replaceAll(email, "THE EMAIL")
  }
  expect(await seen(known)).toBe(await seen(uniqueEmail()))
})

test("a change of email does not reveal whether somebody has the new one", async () => {
  const [known, own] = [uniqueEmail(), uniqueEmail()]
  for (const email of [known, own]) {
    const gateway = await goToGateway(await chooseAndPay(browserAt(newAddress()), { shop, email }))
    await waitForAccess(await payAt(gateway))
  }
  const seen = async (email: string) => {
    const browser = browserAt(newAddress())
    await browser.visit(signInLink(shop, own))
    const account = await browser.visit(`${shop.url}/checkout/success?account`)
    const asked = await account.submit({ button: { value: "change-email" }, fields: { email } })
    const typed = await asked.submit({ button: { value: "confirm-email" }, fields: { code: "000000" } })
    const pages = [asked, typed].map(({ status, text }) => `${status} ${text}`)
    expect(pages[0]).toContain(email)
    return pages
      .join("\n")
      .replaceAll(email, "THE EMAIL")
      .replaceAll(/\d+:\d\d/g, "TIME")
  }
  expect(await seen(known)).toBe(await seen(uniqueEmail()))
})

test("the time to reject a password does not reveal whether an email is known", deep, async () => {
  const [timed, withPassword] = [uniqueEmail(), uniqueEmail()]
  await goToGateway(await chooseAndPay(browserAt(newAddress()), { shop, email: timed }))
  const env = { DATA_DIR: shop.dataDir }
  await goToGateway(await chooseAndPay(browserAt(newAddress()), { shop, email: withPassword }))
  expect(
    await runServerCommand(
      ["admin", "customers", "set-password", withPassword],
      env,
      "correct horse battery\n",
    ),
  ).toMatchObject({ exitCode: 0 })
  const emails = [timed, withPassword, uniqueEmail()]
  const timeToReject = (email: string) => async () => {
    const body = new URLSearchParams({ intent: "sign-in", email, password: "wrong horse" })
    const browser = browserAt(newAddress())
    const start = performance.now()
    expect((await browser.post(`${shop.url}/checkout/?signin`, { body })).status).toBe(401)
    return performance.now() - start
  }
  const times = await fastestTimes(emails.map(timeToReject))
  process.stdout.write(`rejections, the quickest in ms: ${times.map(Math.round).join(", ")}\n`)
  expect(areSimilar(times)).toBe(true)
})

/** Order numbers that would be next to a given one if the numbers were sequential. */
const besides = (order: string) =>
  [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"].flatMap((it) => [order.slice(0, -1) + it, it + order.slice(1)])

attackTest("order numbers are not sequential, and knowing one gives no access", async (pick) => {
  const { count, conclude } = tally("order numbers next to an existing one")
  const before = readStoredRows(shop.dataDir).orders.map(({ id }) => id)
  const [mine, ownOrder] = [browserAt(newAddress()), browserAt(newAddress())]
  const myPayment = await goToGateway(await chooseAndPay(mine, { shop }))
  const otherPayment = await goToGateway(await chooseAndPay(ownOrder, { shop }))
  const placed = readStoredRows(shop.dataDir).orders.map(({ id }) => id)
  const [first = "", second = ""] = placed.filter((id) => !before.includes(id))
  expect([first, second].join()).toMatch(/^[0-9A-Z]{10},[0-9A-Z]{10}$/)
  expect([...first].filter((letter, at) => letter === second[at]).length).toBeLessThan(6)

  const cookie = mine.cookies(new URL(`${shop.url}/checkout/waiting`)) ?? ""
  const own = await rawRequest(shop.url, "/checkout/waiting", { headers: { cookie } })
  expect(own.body).toContain(myPayment.url.pathname)
  const ids = [...besides(first), ...besides(second)]
  const paths = ["/waiting", "/success", "/api/order-status"]
  for (const [path, name, id] of pick(everyOf(paths, ["order", "orderid", "resume"], ids))) {
    const response = await rawRequest(shop.url, `/checkout${path}?${name}=${id}`, { headers: { cookie } })
    const shown = response.body.includes(otherPayment.url.pathname) ? "shows another customer's order" : null
    count(`${path} ${name}=${id}`, findViolation(response) ?? shown)
  }
  conclude()
})
