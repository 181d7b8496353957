import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { SESSION_SECONDS } from "~/context/session-cookie.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { everyOf, findViolation, screens, tally } from "../../support/attacks/attack-inputs"
import { Browser } from "../../support/browser/no-script-browser"
import { rawRequest } from "../../support/http/raw-request"
import { freePort } from "../../support/server/free-port"
import { startShop, type TestServer } from "../../support/server/server-process"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"

const [first, second] = ["first".repeat(8), "second".repeat(8)]
const dataDir = mkdtempSync(join(tmpdir(), "boxoffice-cookies-"))
let port: string
let shop: TestServer
const start = (secrets: string) =>
  startShop({ dataDir, env: { PORT: port, SESSION_SECRETS: secrets, LOG_LEVEL: "trace" } })

test.beforeAll(async () => {
  port = String(await freePort())
  shop = await start(first)
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(dataDir, { recursive: true })
})

/** A browser after a purchase, the encrypted value of its session cookie, and the username of its service. */
async function buyer() {
  const browser = new Browser()
  const paid = await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(browser, { shop, email: "ana@example.test" }))),
  )
  const access = accessOn(paid)
  const [, sealed = ""] = /(?:^|; )checkout=([^;]+)/.exec(browser.cookies(paid.url) ?? "") ?? []
  expect(sealed).not.toBe("")
  return { browser, sealed, username: access?.username ?? "nobody" }
}

const requestWith = (cookie: string, path = "/checkout/success") =>
  rawRequest(shop.url, path, { headers: { cookie } })

attackTest("no forged, truncated, swapped or oversized cookie opens a session", async (pick) => {
  const { sealed, username } = await buyer()
  expect((await requestWith(`checkout=${sealed}`)).body).toContain(username)
  const { count, conclude } = tally("cookies")
  const flipped = Array.from({ length: 60 }, (_, at) => {
    const place = Math.floor((at * sealed.length) / 60)
    return `checkout=${sealed.slice(0, place)}${sealed[place] === "A" ? "B" : "A"}${sealed.slice(place + 1)}`
  })
  const otherClient = sealWith([second], "session").seal(JSON.stringify({ orderId: "X" }))
  const forged = [
    `checkout=${otherClient}`,
    `checkout=${sealed.slice(0, -1)}`,
    `checkout=${sealed}A`,
    `checkout=${sealed}=`,
    `checkout="${sealed}`,
    `Checkout=${sealed}`,
    `browserLang=${sealed}`,
    `aff_id=${sealed}`,
    "checkout=__proto__",
    "__proto__=x; constructor=y",
    "checkout=null",
    "checkout=%00%ff",
    "checkout=;;;=",
    `checkout=${"A".repeat(4_000)}`,
    `checkout=${"A".repeat(14_000)}`,
    "a=b; ".repeat(2_500),
    `checkout=${sealed.toUpperCase()}`,
    `checkout=${encodeURIComponent(`${sealed}\0`)}`,
    "checkout=%",
  ]
  for (const [cookie, screen] of pick(everyOf([...flipped, ...forged], screens))) {
    const response = await requestWith(cookie, screen)
    count(
      `${screen} ${cookie}`,
      findViolation(response) ?? (response.body.includes(username) ? "opens it" : null),
    )
  }
  // Node rejects headers above 16 kB with 431 before the shop reads them.
  expect((await requestWith(`checkout=${"A".repeat(20_000)}`)).status).toBe(431)
  conclude()
})

test("a session cookie expires after thirty days, however long a client stores it", async () => {
  const { sealed, username } = await buyer()
  const seal = sealWith([first], "session")
  const inside = JSON.parse(seal.open(sealed) ?? "{}")
  const aged = (seconds: number) =>
    `checkout=${seal.seal(JSON.stringify({ ...inside, sealedAt: inside.sealedAt - seconds * 1_000 }))}`
  expect((await requestWith(aged(SESSION_SECONDS - 3_600))).body).toContain(username)
  expect((await requestWith(aged(SESSION_SECONDS + 60))).body).not.toContain(username)
  const { sealedAt: _, ...undated } = inside
  expect((await requestWith(`checkout=${seal.seal(JSON.stringify(undated))}`)).body).not.toContain(username)
})

test("a new secret keeps sessions valid, and a removed secret invalidates its sessions", async () => {
  const { browser, sealed, username } = await buyer()
  await shop.stop()
  shop = await start(`${second},${first}`)
  expect((await requestWith(`checkout=${sealed}`)).body).toContain(username)
  // Every change of the session encrypts it with the new secret.
  await browser.visit(`${shop.url}/checkout/?pid=1`)
  const [, renewed = ""] =
    /(?:^|; )checkout=([^;]+)/.exec(browser.cookies(new URL(`${shop.url}/checkout/`)) ?? "") ?? []
  expect(renewed).not.toBe(sealed)
  await shop.stop()
  shop = await start(second)
  expect((await requestWith(`checkout=${renewed}`)).body).toContain(username)
  expect((await requestWith(`checkout=${sealed}`)).body).not.toContain(username)
})

attackTest("an email in a link shows no data of that customer and fixes no session", async (pick) => {
  const { username } = await buyer()
  const { count, conclude } = tally("sessions fixed by ?email=")
  for (const [screen, more] of pick(
    everyOf(screens, ["", "&signin", "&expires=9999999999&signature=x", "&serviceid=s1"]),
  )) {
    const browser = new Browser()
    const path = `${screen}?email=ana%40example.test${more}`
    await browser.visit(shop.url + path)
    const { body, status } = await browser.visit(`${shop.url}/checkout/success`)
    count(
      path,
      findViolation({ body, status }) ??
        (body.includes(username) ? "shows another customer's credentials" : null),
    )
  }
  conclude()
})
