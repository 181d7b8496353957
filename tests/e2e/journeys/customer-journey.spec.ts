import { expect } from "playwright/test"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { enEn } from "~/i18n/translations/en-en"
import {
  chooseAndPay,
  goToGateway,
  payAt,
  waitForAccess,
  waitForText,
} from "../../fixtures/no-script-purchase"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import { startOnServer, startOnWhmcs, startShop, type TestServer } from "../start-shop"
import { everyBackend } from "../tags"

const open = () => new Browser({ "user-agent": BROWSER_AGENT })

test(
  "a customer cancels an order, pays another by a second method, adds a device and connections, and is not signed in by a wrong password",
  everyBackend,
  async ({ sharedShop }) => {
    const shop = await sharedShop()
    const email = uniqueEmail()
    const browser = open()
    const at = (path: string) => browser.visit(`${shop.url}/checkout${path}`)
    const order = async () => goToGateway(await chooseAndPay(browser, { shop, email, plan: "1" }))

    await order()
    const cancelled = await (await at("/waiting?abort")).submit({ button: { value: "abort" } })
    expect(cancelled.url.search).toBe("?cancelled=unpaid")

    await order()
    const method = { button: { value: "gateway" }, fields: { gateway: "coinbase" } }
    const coinbase = await (await at("/waiting?gateway")).submit(method)
    expect(coinbase.url.pathname).toMatch(/^\/coinbase\//)
    const access = await waitForAccess(await payAt(coinbase))

    const device = { button: { value: "device" }, fields: { deviceAddress: "00-1a-79-ab-cd-ef" } }
    expect((await access.submit(device)).text).toContain("00:1A:79:AB:CD:EF")

    const more = { button: { value: "upsell" }, fields: { quantity: "2" } }
    const paid = await payAt(await (await at("/success")).submit(more))
    await waitForText(paid, "3 connections")

    const screen = await open().visit(`${shop.url}/checkout/success?account`)
    const credentials = { having: "password", fields: { email, password: "not the password" } }
    expect((await screen.submit(credentials)).text).toContain(enEn.signIn.wrong)
  },
)

test("an order that a promo code makes free is set up without a payment", everyBackend, async () => {
  const shop = await startWithFreeCode()
  try {
    const checkout = await open().visit(`${shop.url}/checkout/`)
    const fields = { plan: "1", email: uniqueEmail(), promoCode: CODE }
    const review = await checkout.submit({ button: { value: "pay" }, fields })
    expect(review.text).toContain(screenTexts.orderReview.free)
    const shown = await waitForAccess(await goToGateway(review))
    expect(shown.url.origin).toBe(shop.url)
  } finally {
    await shop.stop()
  }
})

const CODE = "EVERYTHING"

/** A shop whose billing has a code that takes everything off. */
async function startWithFreeCode(): Promise<TestServer> {
  const backend = test.info().project.name
  if (backend === "whmcs") return startOnWhmcsWithFreeCode()
  const { shop, billing } = backend === "remote" ? await startOnServer() : await startAlone()
  const promotion = ["--products", "1", "--percent", "100", "--reason", "test"]
  const command = ["admin", "promotions", "add", CODE, ...promotion]
  const { exitCode, output } = await runServerCommand(command, { DATA_DIR: billing.dataDir })
  expect(exitCode, output).toBe(0)
  return shop
}

async function startAlone() {
  const shop = await startShop()
  return { shop, billing: shop }
}

async function startOnWhmcsWithFreeCode(): Promise<TestServer> {
  const { shop, whmcs } = await startOnWhmcs()
  const [promotion] = whmcs.promotions
  if (!promotion) throw new Error("No promotion to copy")
  const free = { type: "Percentage", value: 10_000, appliesTo: ["1"] } as const
  whmcs.promotions.push({ ...promotion, id: 99, code: CODE, ...free })
  return shop
}
