import { randomBytes } from "node:crypto"
import { expect } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import { openDelayingProxy } from "../../fakes/delaying-proxy"
import { goToGateway } from "../../fixtures/no-script-purchase"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { Browser } from "../../support/browser/no-script-browser"
import type { HtmlPage } from "../../support/html/html-page"
import { freePort } from "../../support/server/free-port"
import { fixedPartsOf } from "../../support/server/logged-errors"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const MAX_CONCURRENT_REQUESTS = 200
/** One gateway may use half of the shop's concurrent requests. */
const SHARE = 100
const TURNED_AWAY = 20
const LOOKS = 60

test(
  "buyers of a slow gateway do not delay other requests, and all get their payment link",
  deep,
  async () => {
    test.setTimeout(400_000)
    const { shop, slow, stop } = await startShopWithSlowGateway()
    await measured(shop)
    const usual = await measured(shop)

    const reviews = await inPortions(SHARE + TURNED_AWAY, (nth) => review(shop, "offshore", `slow${nth}`))
    slow.hold()
    const waiting = reviews.slice(0, SHARE).map(goToGateway)
    await expect.poll(() => slow.held()).toBe(SHARE)
    const result = await Promise.all(reviews.slice(SHARE).map(goToGateway))
    for (const page of result) {
      expect(page.status).toBe(503)
      for (const part of fixedPartsOf(enEn.orderReview.notOpened)) expect(page.text).toContain(part)
    }
    const meanwhile = await measured(shop)
    // The gateway still held its requests while all others were answered.
    expect(slow.held()).toBe(SHARE)
    slow.release()
    for (const page of await Promise.all(waiting)) expect(page.url.origin).toBe(shop.sandboxUrl)

    const found = violations(await loadSystemState({ dataDir: shop.dataDir }))
    const ratio = { pages: meanwhile.page / usual.page, purchases: meanwhile.purchase / usual.purchase }
    const text = `pages ${ratio.pages.toFixed(2)}, purchases at another gateway ${ratio.purchases.toFixed(2)} times as long`
    process.stdout.write(
      `A slow gateway: ${SHARE} purchases held by it, ${result.length} answered 503, ${text}, violations: ${found.length}\n`,
    )
    expect(found).toEqual([])
    await stop()
  },
)

async function startShopWithSlowGateway() {
  const port = await freePort()
  const slow = await openDelayingProxy({ host: "127.0.0.1", port })
  const shop = await startShop({
    env: {
      SANDBOX: "on",
      SANDBOX_PORT: String(port),
      OFFSHORE_CHECKOUT_ORIGIN: `http://127.0.0.1:${port}`,
      OFFSHORE_URL: `http://127.0.0.1:${slow.port}/offshore`,
      OFFSHORE_CALLBACK_SECRET: `whsec_${randomBytes(24).toString("base64")}`,
      MAX_CONCURRENT_REQUESTS: String(MAX_CONCURRENT_REQUESTS),
      UPSTREAM_TIMEOUT_MS: "30000",
    },
  })
  const stop = async () => {
    await shop.stop()
    await slow.close()
  }
  return { shop, slow, stop }
}

/** Submits the checkout and returns the review step, whose button creates the payment at the gateway. */
async function review({ url }: TestServer, gateway: string, name: string): Promise<HtmlPage> {
  const checkout = await new Browser().visit(`${url}/checkout/`)
  return checkout.submit({
    button: { value: "pay" },
    fields: { plan: "3", email: `${name}@example.test`, gateway },
  })
}

/** Median durations in milliseconds of a page, and of a purchase at another gateway up to its payment link. */
async function measured(shop: TestServer): Promise<{ page: number; purchase: number }> {
  const page = await median(() => new Browser().visit(`${shop.url}/checkout/resellers`))
  const purchase = await median(async () => {
    const payment = await goToGateway(await review(shop, "coinbase", crypto.randomUUID()))
    expect(payment.url.origin).toBe(shop.sandboxUrl)
  })
  return { page, purchase }
}

async function median(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let nth = 0; nth < LOOKS; nth++) {
    const began = performance.now()
    await act()
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[LOOKS / 2] ?? 0
}

/** Runs ten at a time: more would test overload instead. */
async function inPortions<T>(count: number, make: (nth: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const portion = Array.from({ length: Math.min(10, count - made.length) }, (_, nth) =>
      make(made.length + nth),
    )
    made.push(...(await Promise.all(portion)))
  }
  return made
}
