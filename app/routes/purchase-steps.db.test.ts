import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { CheckoutSession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import { usualMail } from "../../tests/fixtures/mailing-database"
import { respond, type Visit } from "../../tests/fixtures/shop-router"
import { engines, openTemporaryDatabase } from "../../tests/fixtures/temporary-database"
import { termPolicy } from "../../tests/fixtures/term-policy"
import { catalogue, openTestShop, type TestShop, TOTAL } from "../../tests/fixtures/test-shop"
import { CookieJar } from "../../tests/support/http/cookie-jar"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const HOME = new URL("https://shop.test/checkout/")
const chosen = { plan: "3", extraConnection: "on" }
const ana = { email: "ana@example.test", gateway: "offshore" }

/** A browser that keeps its cookies. */
function browser(agent = "Mozilla/5.0 Firefox/128.0") {
  const jar = new CookieJar()
  return {
    async send(path: string, form?: Visit["form"]) {
      const cookie = jar.header(HOME)
      const headers = { "user-agent": agent, ...(cookie && { cookie }) }
      const response = await respond(shop.services, { path, headers, ...(form && { form }) })
      jar.store(HOME, response.headers)
      expect(response.status).toBeLessThan(400)
    },
    session(): CheckoutSession {
      const cookie = jar.cookiesOf(HOME.origin).find(({ name }) => name === "checkout")
      return decodeSession(shop.services.sessionSeal, cookie?.value, shop.services.now())
    },
  }
}

type Browser = ReturnType<typeof browser>

async function submit(visitor: Browser, path = "/", more: Visit["form"] = {}) {
  await visitor.send(path, { intent: "pay", ...chosen, ...ana, ...more })
  const { draft } = visitor.session()
  return { draft: draft?.key ?? "", total: String(draft?.total ?? 0) }
}

async function order(visitor: Browser, path = "") {
  await visitor.send(`${path}/creatingOrder`, await submit(visitor, path || "/"))
  return visitor.session().orderId ?? ""
}

/** Follows the gateway's link back to the shop. */
async function comeBack(visitor: Browser) {
  const { pathname, search } = new URL(shop.gateway.opened.at(-1)?.returnUrl ?? "")
  await visitor.send(`${pathname.replace("/checkout", "")}${search}`)
}

async function counted() {
  await shop.services.stepCounter.flush()
  const counts = await shop.services.steps.steps("2026-11-20", "2026-11-20")
  return counts.map(({ step, plan, gateway, locale, count }) =>
    [count, step, plan ?? "-", gateway ?? "-", locale].join(" "),
  )
}

test("counts each step of a purchase once, with plan, gateway and language", async () => {
  const visitor = browser()
  await visitor.send("/de-de/", { intent: "update", ...chosen })
  await visitor.send("/de-de/", { intent: "update", plan: "1" })
  const id = await order(visitor, "/de-de")
  await visitor.send("/de-de/waiting")
  await comeBack(visitor)
  await comeBack(visitor)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, id)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, id)
  expect(await counted()).toEqual([
    "1 chosen 3 - de-de",
    "1 email 3 offshore de-de",
    "1 submitted 3 offshore de-de",
    "1 left 3 offshore de-de",
    "1 returned 3 offshore de-de",
    "1 paid 3 offshore de-de",
  ])
})

test("the rest that comes after a payment within the tolerance is not another purchase", async () => {
  const id = await order(browser())
  const attempt = await shop.services.payments.latestAttempt(id)
  const services = { ...shop.services, tolerance: { offshore: 100 } }
  for (const minor of [TOTAL - 10, TOTAL]) {
    const report = { eventKey: `${minor}`, attemptId: attempt?.id ?? "", transactionId: null }
    const received = money(minor, "EUR")
    await recordPaymentUpdate(services, "offshore", { ...report, status: "paid", received })
  }
  expect(await counted()).toContain("1 paid 3 offshore en-en")
})

test("the same selection sent again is the same purchase, another one is another", async () => {
  const visitor = browser()
  await submit(visitor)
  await submit(visitor)
  expect(await counted()).toContain("1 submitted 3 offshore en-en")
  await submit(visitor, "/", { plan: "2" })
  expect(await counted()).toEqual([
    "1 chosen 2 offshore en-en",
    "1 chosen 3 offshore en-en",
    "1 email 2 offshore en-en",
    "1 email 3 offshore en-en",
    "1 submitted 2 offshore en-en",
    "1 submitted 3 offshore en-en",
  ])
})

test("a bot that sends the form gets its answer and is not counted", async () => {
  const bot = browser("Mozilla/5.0 (compatible; Googlebot/2.1)")
  expect((await submit(bot)).draft).not.toBe("")
  expect(await counted()).toEqual([])
})

describe.each(engines)("an order on %s", (engine) => {
  let close: () => Promise<void>
  beforeEach(async () => {
    await shop.billing.close()
    const database = await openTemporaryDatabase(engine)
    const ctx: DbContext = { db: database.db, newId: database.newId, terms: termPolicy, mail: usualMail }
    await importCatalogue(ctx, await catalogue())
    shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
    close = database.close
  })
  afterEach(() => close())

  async function buyWith(agent: string) {
    const visitor = browser(agent)
    const id = await order(visitor)
    await comeBack(visitor)
    shop.gateway.reports("paid", TOTAL)
    shop.wait(3 * SECOND)
    await pollOrderPayment(shop.services, id)
    expect(await shop.services.billing.order(id)).toMatchObject({ status: "paid" })
    return (await counted()).map((it) => it.split(" ")[1])
  }

  test("of a bot is paid like any other, and no step of it is counted", async () => {
    expect(await buyWith("Mozilla/5.0 (compatible; Googlebot/2.1)")).toEqual([])
  })

  test("of a person is counted from the choice to the payment", async () => {
    const steps = ["chosen", "email", "submitted", "left", "returned", "paid"]
    expect(await buyWith("Mozilla/5.0 Firefox/128.0")).toEqual(steps)
  })
})

test("a plan that the shop does not sell has no sum of its own", async () => {
  await browser().send("/", { intent: "update", plan: "made up" })
  expect(await counted()).toEqual(["1 chosen - - en-en"])
})

test("counts an order that account credit or a code pays as paid, without a gateway's report", async () => {
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  const free = products.map((product) => ({ ...product, pricing: { EUR: { monthly: 0 } }, options: [] }))
  await shop.billing.operator.importCatalogue({ ...rest, products: free })
  await order(browser())
  expect(await counted()).toContain("1 paid 3 offshore en-en")
  expect((await counted()).join()).not.toContain("left")
})

const told = { step: "chosen", plan: "2", gateway: "coinbase", locale: "nl-nl", counted: "", domain: "" }

/** A request of the order form's script. */
async function tell(changes: Partial<typeof told>, agent = "Mozilla/5.0 Firefox/128.0") {
  const response = await respond(shop.services, {
    path: "/api/purchase-step",
    form: { ...told, ...changes },
    headers: { "user-agent": agent },
  })
  expect(response.headers.getSetCookie()).toEqual([])
  return response.ok ? response.json() : response.status
}

test("a step that the page tells of is counted once, also with the form's own request", async () => {
  expect(await tell({})).toEqual({ domain: null })
  expect(await tell({ step: "email", counted: " chosen", domain: "gmial.com" })).toEqual({
    domain: "gmail.com",
  })
  expect(await tell({ step: "email", counted: " chosen email", domain: "gmail.com" })).toEqual({
    domain: null,
  })
  await submit(browser(), "/nl-nl", { plan: "2", gateway: "coinbase", counted: " chosen email" })
  expect(await counted()).toEqual([
    "1 chosen 2 coinbase nl-nl",
    "1 email 2 coinbase nl-nl",
    "1 submitted 2 coinbase nl-nl",
  ])
})

test.each([
  ["another step", { step: "paid" }],
  ["an unknown language", { locale: "xx" }],
  ["a domain longer than any", { domain: "a".repeat(254) }],
])("%s is refused and not counted", async (_, wrong) => {
  expect(await tell(wrong)).toBe(400)
  expect(await counted()).toEqual([])
})

test("a bot gets an answer and is not counted, and no text of a visitor becomes a name", async () => {
  expect(await tell({ domain: "gmial.com" }, "Googlebot/2.1")).toEqual({ domain: "gmail.com" })
  await tell({ plan: "ana@example.test", gateway: "ana" })
  expect(await counted()).toEqual(["1 chosen - - nl-nl"])
})
