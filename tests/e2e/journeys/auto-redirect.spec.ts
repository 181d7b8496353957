import { randomInt } from "node:crypto"
import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { person } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

/** An address in Great Britain and one in Spain, by the embedded table. */
const BRITISH = "81.2.69.142"
const SPANISH = "80.58.61.250"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(trusted)
})

const from = (address: string) => new Browser({ "user-agent": person, "x-forwarded-for": address })

test("a link orders by itself, and the buyer pays and has his access", async () => {
  const gateway = await from("192.0.2.1").visit(
    `${shop.url}/checkout/?email=${uniqueEmail()}&pid=3&auto_redirect=true&extraconnect=1`,
  )
  expect(gateway.url.origin).toBe(shop.sandboxUrl)
  expect(gateway.text).toContain("98.90")
  await waitForAccess(await payAt(gateway))
})

test("the same link twice in one browser is one order", async () => {
  const browser = from("192.0.2.1")
  const link = `${shop.url}/checkout/?email=${uniqueEmail()}&pid=1&auto_redirect=true`
  const first = await browser.visit(link)
  expect((await browser.visit(link)).url.href).toBe(first.url.href)
})

test("with something missing it is the ordinary checkout, filled in", async () => {
  const email = uniqueEmail()
  const page = await from("192.0.2.1").visit(`${shop.url}/checkout/?email=${email}&auto_redirect=true`)
  expect(page.url.href).toBe(`${shop.url}/checkout/`)
  expect(page.field("email")).toBe(email)
})

test("from Great Britain prices are in pounds, from Spain an automatic order is Spanish and in euros", async () => {
  expect((await from(BRITISH).visit(`${shop.url}/checkout/`)).text).toContain("£")
  expect((await from(SPANISH).visit(`${shop.url}/checkout/`)).text).not.toContain("£")
  const link = () => `${shop.url}/checkout/?email=${uniqueEmail()}&pid=1&auto_redirect=true`
  expect((await from(BRITISH).visit(link())).text).toContain("£")
  const spanish = await from(SPANISH).visit(link())
  expect(spanish.language).toBe("es-ES")
  expect(spanish.text).toContain("€")
})

test("the currency a buyer began in stays, wherever he goes on", async () => {
  const browser = from(BRITISH)
  const review = await chooseAndPay(browser, { shop })
  expect(review.text).toContain("£")
  const gateway = await goToGateway(review)
  expect(gateway.text).toContain("£")
})

test("an affiliate's click is counted once a day, and his order carries his number", async () => {
  const affiliate = String(randomInt(1_000, 1_000_000))
  const browser = new Browser({ "user-agent": person, referer: "https://blog.test/tv?secret=1" })
  await browser.visit(`${shop.url}/checkout/?aff_id=${affiliate}&utm=x`)
  await browser.visit(`${shop.url}/checkout/?aff_id=${affiliate}`)
  await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop }))))
  const { output } = await runServerCommand(["admin", "affiliates"], { DATA_DIR: shop.dataDir })
  expect(output).toMatch(new RegExp(`\\b${affiliate}\\D+1\\D+1\\D+1`))
})

test("a click that led elsewhere is told by a call, and nonsense is refused", async () => {
  const call = (body: BodyInit, type: string) =>
    fetch(`${shop.url}/checkout/aff/new_click`, { method: "POST", body, headers: { "content-type": type } })
  expect((await call(JSON.stringify({ aff_id: 78 }), "application/json")).status).toBe(204)
  expect((await call("aff_id=78&referer=https://x.test/", "application/x-www-form-urlencoded")).status).toBe(
    204,
  )
  expect((await call("aff_id=me", "application/x-www-form-urlencoded")).status).toBe(400)
  expect((await call("{", "application/json")).status).toBe(400)
})

test("a blocked visitor reads the fraud screen with a number, is charged nothing and may choose again", async () => {
  const env = { DATA_DIR: shop.dataDir }
  expect((await runServerCommand(["admin", "block", "203.0.113.0/24"], env)).exitCode).toBe(0)
  const browser = from("203.0.113.9")
  const email = uniqueEmail()
  const held = await goToGateway(await chooseAndPay(browser, { shop, email }))
  expect(held.status).toBe(403)
  expect(held.url.pathname).toBe("/checkout/creatingOrder")
  const [order] = readStoredRows(shop.dataDir, email).orders
  expect(order?.status).toBe("fraud")
  expect(held.text).toContain(order?.id ?? "no order")
  expect((await browser.visit(`${shop.url}/checkout/waiting`)).status).toBe(403)
  const again = await browser.visit(`${shop.url}/checkout/`)
  expect(again.text).toContain(enEn.checkout.heading)

  const { output } = await runServerCommand(["admin", "order", order?.id ?? ""], env)
  expect(output).toContain("blocked network 203.0.113.0/24")
  await runServerCommand(["admin", "unblock", "203.0.113.0/24"], env)
  const gateway = await goToGateway(await chooseAndPay(browser, { shop, email }))
  expect(gateway.url.origin).toBe(shop.sandboxUrl)
})

test("whoever is not a trusted proxy cannot say where he is", async () => {
  const own = await startShop()
  try {
    expect((await from(BRITISH).visit(`${own.url}/checkout/`)).text).not.toContain("£")
  } finally {
    await own.stop()
  }
})

test("typing an e-mail that is known looks the same as typing one that is not", async () => {
  const email = uniqueEmail()
  await buyAs(email)
  expect(await pagesFor(uniqueEmail())).toEqual(await pagesFor(email))
})

test("and it takes as long", deep, async () => {
  const email = uniqueEmail()
  await buyAs(email)
  const measured = { known: [] as number[], unknown: [] as number[] }
  for (let turn = 0; turn < 7; turn++) {
    for (const who of ["known", "unknown"] as const) {
      const review = await chooseAndPay(from("192.0.2.1"), {
        shop,
        email: who === "known" ? email : uniqueEmail(),
      })
      const begun = performance.now()
      await goToGateway(review)
      measured[who].push(performance.now() - begun)
    }
  }
  // The quickest of each, which is what the work itself takes.
  const ratio = Math.min(...measured.known) / Math.min(...measured.unknown)
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

async function buyAs(email: string): Promise<void> {
  const review = await chooseAndPay(from("192.0.2.1"), { shop, email })
  await waitForAccess(await payAt(await goToGateway(review)))
}

/** What is shown of an order up to the gateway, without what differs from order to order. */
async function pagesFor(email: string): Promise<string[]> {
  const review = await chooseAndPay(from("192.0.2.1"), { shop, email })
  const gateway = await goToGateway(review)
  return [review, gateway].map(({ text, status }) =>
    `${status} ${text}`
      .replaceAll(email, "E-MAIL")
      .replace(/[\w-]{20,}/g, "TOKEN")
      .replace(/\b[2-9A-Z]{10}\b/g, "ORDER"),
  )
}
