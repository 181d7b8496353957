import { expect } from "playwright/test"
import { MINUTE } from "~/domain/calendar"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { unsentMails } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

/** Emails of each kind, and requests for each: below the daily limit of an email. */
const EMAILS = 30
const REQUESTS = 24
/** On a busy machine fewer pairs are compared: the bound follows from their number. */
const TIME_FOR_PAIRS = 8 * MINUTE
const LEAST_PAIRS = 150

/**
 * Asks for a sign-in message; returns the milliseconds until the whole answer is there. Waits for the messages before, which
 * are sent in the background: on a busy machine they would slow this request down.
 */
async function asked(shop: TestServer, email: string, address: string): Promise<number> {
  await expect.poll(() => unsentMails(shop.dataDir), { intervals: [10], timeout: 60_000 }).toBe(0)
  const body = new URLSearchParams({ email, intent: "sign-in-mail" })
  const headers = { "x-forwarded-for": address, origin: shop.url }
  const started = performance.now()
  const answer = await fetch(`${shop.url}/checkout/success?signin`, {
    method: "POST",
    body,
    headers,
    redirect: "manual",
  })
  await answer.arrayBuffer()
  const took = performance.now() - started
  expect(answer.status).toBe(303)
  return took
}

/**
 * Pairs of requests for a known and an unknown email, one right after the other, so that a busy machine slows both down. In
 * every other pair the unknown one is first: so both of a pair come after a request of the same kind, whose message, sent or
 * not, may still occupy the machine.
 */
function pairs(known: readonly string[], unknown: readonly string[]) {
  return Array.from({ length: EMAILS * REQUESTS }, (_, nth) => ({
    known: known[nth % EMAILS] ?? "",
    unknown: unknown[nth % EMAILS] ?? "",
    knownIsFirst: (nth + Math.floor(nth / EMAILS)) % 2 === 0,
  }))
}

type Pair = ReturnType<typeof pairs>[number]

async function isKnownSlower(
  shop: TestServer,
  { known, unknown, knownIsFirst }: Pair,
  { first, second }: { first: string; second: string },
): Promise<boolean> {
  const before = await asked(shop, knownIsFirst ? known : unknown, first)
  const after = await asked(shop, knownIsFirst ? unknown : known, second)
  return knownIsFirst ? before > after : after > before
}

test("the clock does not tell whether a sign-in message goes to a customer", deep, async () => {
  test.setTimeout(TIME_FOR_PAIRS + 2 * MINUTE)
  const shop = await startShop({ env: underAttack })
  const [known, unknown] = [0, 1].map(() => Array.from({ length: EMAILS }, () => uniqueEmail())) as [
    string[],
    string[],
  ]
  for (const email of known) await goToGateway(await chooseAndPay(new Browser(), { shop, email }))
  // The first requests are slower for every email: code is compiled, connections are opened.
  for (let nth = 0; nth < 50; nth++) await asked(shop, uniqueEmail(), addressOf(100_000 + nth))

  let slower = 0
  let count = 0
  const started = performance.now()
  for (const pair of pairs(known, unknown)) {
    const [first, second] = [addressOf(2 * count), addressOf(2 * count + 1)]
    if (await isKnownSlower(shop, pair, { first, second })) slower++
    count++
    if (performance.now() - started > TIME_FOR_PAIRS) break
  }
  expect(count).toBeGreaterThanOrEqual(LEAST_PAIRS)
  process.stdout.write(
    `known emails are slower in ${((slower / count) * 100).toFixed(1)} % of ${count} pairs\n`,
  )
  // The sign test with four standard errors: one false alarm in 16 000 runs.
  expect(Math.abs(slower / count - 0.5)).toBeLessThan((4 * 0.5) / Math.sqrt(count))
  await shop.stop()
})

/** Addresses of different networks, so that the limits per client do not answer. */
function addressOf(nth: number): string {
  return `93.${184 + Math.floor(nth / 65_536)}.${Math.floor(nth / 256) % 256}.${nth % 256}`
}
