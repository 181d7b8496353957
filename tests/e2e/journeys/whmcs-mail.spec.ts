import { expect } from "playwright/test"
import type { WhmcsOptions } from "../../fakes/whmcs-simulator/start"
import { mailsTo } from "../../fixtures/mailbox"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { freePort } from "../../support/server/free-port"
import { test } from "../shop-test"
import { startOnWhmcs } from "../start-shop"
import { deep, deepUnless } from "../tags"

/** Starts a shop and a WHMCS that both send to the sandbox's mailbox, as both would to a customer's. */
async function bothSending(env: Record<string, string>, options: WhmcsOptions) {
  const port = String(await freePort())
  const smtpUrl = `smtp://127.0.0.1:${port}`
  return startOnWhmcs({ env: { SANDBOX_SMTP_PORT: port, ...env } }, { smtpUrl, ...options })
}

const ways = [
  ["WHMCS accepts the order", { autosetup: "" }],
  ["the payment sets the product up", { autosetup: "payment", welcomeEmail: false }],
] as const

for (const [way, options] of ways) {
  test(
    `nobody gets two messages about a purchase if ${way}`,
    deepUnless("welcomeEmail" in options),
    async () => {
      const email = uniqueEmail()
      const { shop, whmcs } = await bothSending({}, options)
      try {
        await waitForAccess(
          await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop, email }))),
        )
        await expect.poll(() => mailsTo(shop, email), { timeout: 20_000 }).toHaveLength(1)
        // The order is accepted by a job of its own; WHMCS would send with it.
        const isAccepted = () => whmcs.orders.at(-1)?.status
        await expect.poll(isAccepted, { timeout: 20_000 }).toBe("Active")
        await whmcs.mailDelivered()
        const [receipt, ...others] = await mailsTo(shop, email)
        expect(others.map(({ subject }) => subject)).toEqual([])
        expect(receipt?.text).toContain("Total")
      } finally {
        await shop.stop()
      }
    },
  )
}

test("with MAIL_ORDERS=off WHMCS alone writes about payment and access, once each", deep, async () => {
  const email = uniqueEmail()
  const { shop, whmcs } = await bothSending({ MAIL_ORDERS: "off" }, { autosetup: "" })
  try {
    await waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop, email }))))
    const subjects = async () => (await mailsTo(shop, email)).map(({ subject }) => subject).toSorted()
    const ofWhmcs = ["Invoice Payment Confirmation", "New Product Information"]
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(ofWhmcs)
    await whmcs.mailDelivered()
    expect(await subjects()).toEqual(ofWhmcs)
  } finally {
    await shop.stop()
  }
})
