import { readFileSync } from "node:fs"
import { join } from "node:path"
import { TOTP } from "otpauth"
import { afterEach, beforeEach, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { signIn } from "~/middleware/customers/sign-in.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { consoleOf, tokenOf } from "../../fixtures/console"
import { loadedStatements, openFormerShop } from "../../fixtures/former-release"
import { meet } from "../../fixtures/middleware-harness"
import { reopened } from "../../fixtures/session-harness"
import { respond } from "../../fixtures/shop-router"

const folder = inProject("tests", "fixtures", "release-3a01b7c")
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"))
const { orders } = expected

let shop: Awaited<ReturnType<typeof openFormerShop>>
beforeEach(async () => {
  const facts = { writtenAt: expected.writtenAt, secret: expected.secret }
  shop = await openFormerShop({ facts, open: () => loadedStatements(join(folder, "sqlite.sql")) })
  const console = { ...consoleOf(shop.services), seal: sealWith([expected.operatorSecret], "operators") }
  shop = { ...shop, services: { ...shop.services, console } }
})
afterEach(() => shop.close())

test("the accounts balance, and a refund, an underpayment and an open payment are what they were", async () => {
  const { billing } = shop.services
  expect(await shop.billing.operator.findImbalances()).toEqual([])
  const [carl, cora, bob] = await Promise.all(
    [orders.carl, orders.cora, orders.bob].map((it) => billing.order(it)),
  )
  expect(carl).toMatchObject({ status: "active", received: money(49_40, "EUR"), total: money(54_00, "EUR") })
  expect(cora).toMatchObject({ status: "partially-paid", received: money(43_20, "EUR") })
  expect(bob).toMatchObject({ status: "awaiting-payment", received: money(0, "EUR") })
  expect(await shop.billing.auditLog.verify()).toMatchObject({ brokenAt: null })
})

test("a customer stays signed in, and has the two years that they have paid", async () => {
  const session = reopened(shop, expected.cookie)
  expect(session.customer).toMatchObject({ email: "ana@example.test", reach: "account" })
  const [service] = await shop.services.billing.servicesOf(session.customer ?? { id: "", reach: "account" })
  expect(service).toMatchObject({ status: "Active", orderId: orders.ana })
  expect(new Date(service?.paidUntil ?? 0).toISOString()).toMatch(/^2028-11-29T/)
  const form = { email: "ana@example.test", password: expected.password }
  const { location } = await meet(signIn, { services: shop.services, path: "/checkout/de-de?signin", form })
  expect(location).toBe("/checkout/de-de/success")
})

test("what a buyer has chosen and not ordered is kept", async () => {
  const session = reopened(shop, expected.draftCookie)
  expect(session).toMatchObject({ orderId: null, draft: { key: expect.any(String), total: 98_90 } })
})

test("an operator stays signed in to the console, and signs in by password and app", async () => {
  const visit = { path: "/admin/orders", headers: { cookie: `console=${expected.consoleToken}` } }
  expect((await respond(shop.services, visit)).status).toBe(200)
  shop.wait(MINUTE)
  const code = new TOTP({ secret: expected.totp }).generate({ timestamp: shop.services.now() })
  const form = { email: "marta@shop.test", password: expected.password, code }
  expect(tokenOf(await respond(shop.services, { path: "/admin/sign-in", form }))).not.toBeNull()
})

test("promotions and webhook endpoints are in force, and the secret of an endpoint can still be read", async () => {
  const { webhooks } = shop.billing
  expect(await shop.services.billing.promotionUses("WELCOME10")).toBe(1)
  const endpoints = await webhooks.endpoints()
  expect(endpoints).toMatchObject([{ state: "active", subscriptions: ["*"] }])
  const seal = sealWith([expected.operatorSecret], "webhooks")
  expect(seal.open(endpoints[0]?.sealedSecret ?? "")).toMatch(/^whsec_/)
})

test("jobs that were waiting are done without harm", async () => {
  await runJobs(shop.services)
  expect(await shop.billing.operator.findImbalances()).toEqual([])
  expect(shop.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
