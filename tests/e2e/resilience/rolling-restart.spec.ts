import { setTimeout as pause } from "node:timers/promises"
import { expect } from "playwright/test"
import { accessOn, chooseAndPay, goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { loadSystemState } from "../../resilience/invariants/load-state"
import { violations } from "../../resilience/invariants/violations"
import { Browser } from "../../support/browser/no-script-browser"
import type { HtmlPage } from "../../support/html/html-page"
import { type Machines, startMachines } from "../../support/server/shop-cluster"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql", "nginx-light")

const OLD = "the-first-secret-of-32-characters-or-more"
const NEW = "the-other-secret-of-32-characters-or-more"
const BUYERS = 4
const SETTLES_WITHIN = 20_000
const LOOKS_EVERY = 50

test(
  "replacing all instances and restarting PostgreSQL under load shows no error and loses or duplicates no purchase",
  deep,
  async () => {
    test.setTimeout(400_000)
    // All instances know the new key before one of them encrypts with it.
    const machines = await startMachines(3, `${OLD},${NEW}`)
    const sitting = await chooseAndPay(buyer(0), { shop: machines, email: "sitting@example.test" })
    const load = startBuying(machines)

    await machines.postgres.restart()
    const codes = await machines.replaceAll(`${NEW},${OLD}`)
    await machines.postgres.restart()

    const emails = await load.stop()
    expect(load.seen).toEqual([])
    expect(codes).toEqual([0, 0, 0])
    expect(emails.length).toBeGreaterThan(BUYERS)

    // A session from before the replacement, encrypted with the first key, stays valid.
    await accessFor(await payAt(checked(await goToGateway(sitting))))
    emails.push("sitting@example.test")

    const meant = new Map(emails.map((email) => [email, 1]))
    const { databaseUrl, provider, panel } = machines
    const billing = { dataDir: provider.dataDir, databaseUrl, meant }
    await expect.poll(async () => violations(await loadSystemState(billing)), { timeout: 20_000 }).toEqual([])
    const made = panel.received.filter(({ type }) => type === "line.create").map(({ data }) => data.username)
    expect(made).toHaveLength(emails.length)
    expect(new Set(made).size).toBe(emails.length)
    await machines.stop()
  },
)

test("rate limits are shared by all instances", deep, async () => {
  const machines = await startMachines(3, OLD)
  const browser = buyer(1)
  const statuses: number[] = []
  // nginx distributes the requests round-robin. The response to the first attempt sets the cookie by which the others
  // are counted.
  for (let attempts = 0; attempts <= 9; attempts++) {
    statuses.push((await tryCode(browser, machines.url, `WRONG${attempts}`)).status)
  }
  expect(statuses).toEqual([...Array(9).fill(422), 429])
  const posts = machines.instances.map((it) => it.logLines().filter(({ method }) => method === "POST").length)
  expect(Math.min(...posts)).toBeGreaterThan(0)
  await machines.stop()
})

/** Buys continuously with BUYERS concurrent buyers until `stop`. `seen` has the errors that buyers saw. */
function startBuying(machines: Machines) {
  const seen: string[] = []
  const bought: string[] = []
  let number = 0
  let stopped = false
  async function one() {
    while (!stopped) {
      number += 1
      const email = `buyer${number}@example.test`
      try {
        await buy(machines, email, number)
        bought.push(email)
      } catch (error) {
        seen.push(`${email}: ${error}`)
      }
    }
  }
  const all = Promise.all(Array.from({ length: BUYERS }, one))
  return {
    seen,
    async stop() {
      stopped = true
      await all
      return bought
    },
  }
}

async function buy(machines: Machines, email: string, number: number): Promise<void> {
  const review = checked(await chooseAndPay(buyer(number), { shop: machines, email }))
  const gateway = checked(await goToGateway(review))
  await accessFor(await payAt(gateway))
}

async function accessFor(page: HtmlPage): Promise<void> {
  const deadline = Date.now() + SETTLES_WITHIN
  let shown = checked(page)
  while (!accessOn(shown)) {
    if (Date.now() > deadline) throw new Error(`Credentials not found on ${shown.url.pathname}`)
    await pause(LOOKS_EVERY)
    shown = checked(await shown.followRefresh())
  }
}

/** Throws an error with status, path and text for an error page. */
function checked(page: HtmlPage): HtmlPage {
  if (page.status < 400) return page
  throw new Error(`${page.status} on ${page.url.pathname}: ${page.text.slice(0, 200)}`)
}

/** A browser with its own client address, so that buyers do not share rate limits. */
function buyer(number: number): Browser {
  return new Browser({ "x-forwarded-for": `198.51.${100 + Math.floor(number / 200)}.${(number % 200) + 1}` })
}

async function tryCode(browser: Browser, url: string, code: string): Promise<HtmlPage> {
  const checkout = await browser.visit(`${url}/checkout/`)
  return checkout.submit({ button: { value: "apply-promo" }, fields: { plan: "3", promoCode: code } })
}
