import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import {
  mayDo,
  type OperatorAction,
  type OperatorRole,
  operatorActions,
  operatorRoles,
} from "~/domain/operators/operator"
import type { Order } from "~/domain/orders/order"
import { type OrderAction, orderActions } from "~/domain/orders/order-actions"
import { TaxFile } from "~/domain/tax/tax-file"
import { operatorSession } from "~/flows/admin/operators/sign-in-operator.server"
import { runOperatorAction } from "~/flows/admin/run-operator-action.server"
import {
  type ConsoleVisitor,
  consoleOf,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
} from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let order: Order
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
  order = await buyPlan(shop)
  const { products, promotions } = await shop.billing.operator.exportCatalogue()
  const renamed = products.map((it) => ({ ...it, name: `${it.name}.` }))
  const made = { author: "olga@shop.test", reason: "dots", at: shop.services.now() }
  await shop.billing.operator.importCatalogue({ products: renamed, promotions }, made)
  await shop.billing.tax?.change(TaxFile.parse({ country: "DE" }), { ...made, seenVersion: 0 })
  await shop.billing.brand.save(
    { brand: { name: "Northlight" } },
    { ...made, how: "edit", takenFrom: null, seenVersion: 0 },
  )
  await shop.billing.webhooks.addEndpoint({
    id: "whe_crm",
    url: "https://crm.example.test/hooks?to=ana@example.test",
    description: "CRM",
    subscriptions: ["*"],
    sealedSecret: "sealed",
    at: shop.services.now(),
  })
})
afterEach(() => shop.billing.close())

const visitor = async (role: OperatorRole) => (role === "owner" ? owner : enrolled(shop, role))
const text = async (response: Promise<Response>) => (await response).text()

const pages: readonly [string, (it: Order) => string][] = [
  ["the overview", () => "/admin"],
  ["the first day", () => "/admin/first-day"],
  ["the own account", () => "/admin/account"],
  ["the audit log", () => "/admin/audit"],
  ["the orders", () => "/admin/orders"],
  ["an order", ({ id }) => `/admin/orders/${id}`],
  ["the file of an order", ({ id }) => `/admin/orders/${id}/timeline.csv`],
  ["the customers", () => "/admin/customers"],
  ["a customer", ({ customerId }) => `/admin/customers/${customerId}`],
  ["the gateways", () => "/admin/gateways"],
  ["a gateway", () => "/admin/gateways/coinbase"],
  ["rejected callbacks", () => "/admin/rejected-callbacks"],
  ["payments that match no order", () => "/admin/unmatched-payments"],
  ["failed jobs", () => "/admin/jobs"],
  ["the settings", () => "/admin/settings"],
  ["the backups", () => "/admin/backups"],
  ["blocks", () => "/admin/blocks"],
  ["the mail", () => "/admin/mail"],
  ["suppressed addresses", () => "/admin/mail/suppressed"],
  ["bulk actions", () => "/admin/bulk"],
  ["the services", () => "/admin/services"],
  ["the operators", () => "/admin/operators"],
  ["the catalogue", () => "/admin/catalogue"],
  ["a product", () => "/admin/catalogue/products/3"],
  ["the renewals of a product", () => "/admin/catalogue/products/3/renewals"],
  ["an option", () => "/admin/catalogue/options/2"],
  ["a version of the products", () => "/admin/catalogue/versions/2"],
  ["the rules of tax", () => "/admin/tax"],
  ["the form of the rules of tax", () => "/admin/tax/rules"],
  ["a version of the rules of tax", () => "/admin/tax/versions/1"],
  ["brand and texts", () => "/admin/brand"],
  ["a part of the brand", () => "/admin/brand/methods"],
  ["a version of the brand", () => "/admin/brand/versions/1"],
  ["the promotions", () => "/admin/promotions"],
  ["a promotion", () => "/admin/promotions/WELCOME10"],
  ["the codes of a promotion", () => "/admin/promotions/WELCOME10/codes"],
  ["the resellers", () => "/admin/resellers"],
  ["the affiliates", () => "/admin/affiliates"],
  ["accounting", () => "/admin/accounting"],
  ["the one-stop shop", () => "/admin/accounting/one-stop-shop"],
  ["the webhooks", () => "/admin/webhooks"],
  ["a webhook", () => "/admin/webhooks/whe_crm"],
  ["a service", ({ serviceId }) => `/admin/services/${serviceId}`],
]

describe.each(operatorRoles)("an operator whose role is %s", (role) => {
  test.each(pages)("opens %s", async (_, pathOf) => {
    const who = await visitor(role)
    expect((await who.request({ path: pathOf(order) })).status).toBe(200)
  })

  test("starts no view as a customer without a form, and is told so by an old address", async () => {
    const who = await visitor(role)
    const path = `/admin/customers/${order.customerId}/view?until=9999999999999&signature=x`
    expect((await who.request({ path })).status).toBe(403)
  })
})

/** The owner asks for a refund of the order, which waits for a second operator. */
const askForRefund = () =>
  shop.billing.approvals.add({
    id: "asked",
    action: "refund-order",
    orderId: order.id,
    customerId: null,
    amount: order.total,
    reason: "asked",
    details: { endsService: false, force: false, throughGateway: false, address: null },
    operatorId: null,
    operator: owner.email,
    at: shop.services.now(),
    expiresAt: shop.services.now() + 1,
  })

/** Everything by which a page would name a person. */
const EMAIL = /[\w.+-]{2,}@[\w.-]+\.\w+/g

test.each(["/admin/orders", "/admin/customers"])(
  "who sees masked emails reads at %s that an email is found as a whole alone",
  async (path) => {
    const hintOf = async (role: OperatorRole) => {
      const page = await text((await visitor(role)).request({ path }))
      return /<small id="q-hint">([^<]*)</.exec(page)?.[1]
    }
    expect(await hintOf("viewer")).toMatch(/whole email/i)
    expect(await hintOf("support")).not.toMatch(/whole email/i)
  },
)

test.each(pages)("a viewer reads on %s no email but their own, whoever has acted", async (_, pathOf) => {
  const page = await text(owner.request({ path: `/admin/orders/${order.id}` }))
  const form = { ...hiddenFieldsIn(page, "add-note"), action: "add-note", text: "seen" }
  await owner.request({ path: `/admin/orders/${order.id}`, form })
  await askForRefund()
  const viewer = await enrolled(shop, "viewer")
  const shown = await text(viewer.request({ path: pathOf(order) }))
  expect([...new Set(shown.match(EMAIL))].filter((it) => it !== viewer.email)).toEqual([])
})

test.each(["/admin/orders", "/admin/customers"])(
  "a viewer finds nobody at %s by the beginning of an email, which would spell it out, but by all of it",
  async (path) => {
    const viewer = await enrolled(shop, "viewer")
    const found = async (sought: string) =>
      (await viewer.request({ path: `${path}?q=${encodeURIComponent(sought)}` })).status
    expect(await found(order.email)).toBe(303)
    for (let length = 3; length < order.email.length; length++)
      expect([length, await found(order.email.slice(0, length))]).toEqual([length, 200])
    const support = await enrolled(shop, "support")
    expect((await support.request({ path: `${path}?q=${order.email.slice(0, 6)}` })).status).toBe(303)
  },
)

/** What each role may do with an order; the tables of customers and services are in their tests. */
const allowed: Readonly<Record<OperatorRole, readonly OrderAction[]>> = {
  owner: orderActions,
  support: ["retry-job", "poll-order", "release-order", "resend-mail", "refuse-order", "cancel-order"],
  viewer: [],
}
const everyAction = Object.keys(operatorActions) as OperatorAction[]

describe.each(operatorRoles)("an operator whose role is %s", (role) => {
  test.each(everyAction)(
    "has %s done by the flow of all actions only as the role may do it",
    async (action) => {
      const who = await visitor(role)
      const session = await operatorSession(
        { console: consoleOf(shop.services), now: shop.services.now },
        { token: who.token ?? "", isUse: false },
      )
      if (!session) throw new Error("Nobody is signed in")
      const run = vi.fn(async () => ({ value: null }))
      const formKey = { key: await keyOfOwnSession(who), typed: "" }
      const request = { action, subject: "all of them", reason: "asked", formKey }
      const services = { ...shop.services, console: consoleOf(shop.services) }
      const { kind } = await runOperatorAction(services, { session, address: null }, request, run)
      const isAllowed = mayDo(role, action)
      expect([kind, run.mock.calls.length]).toEqual(isAllowed ? ["done", 1] : ["forbidden", 0])
      const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
      expect(entry).toMatchObject({ action, operator: who.email, outcome: isAllowed ? "done" : "failed" })
    },
  )
})

const table = operatorRoles.flatMap((role) => orderActions.map((action) => [role, action] as const))

test.each(table)(
  "%s, %s: what a role may not do is refused and recorded, and changes nothing",
  async (role, action) => {
    const who = await visitor(role)
    const path = `/admin/orders/${order.id}`
    const { seen = "" } = hiddenFieldsIn(await text(owner.request({ path })), "refund-order")
    const key = await keyOfOwnSession(who)
    const before = await shop.billing.billing.order(order.id)
    const form = { action, key, seen, reason: "asked", amount: "1.00", target: "x", force: "on" }
    const answer = await who.request({ path, form })
    const isForbidden = (await answer.text()).includes("Your role may not do this.")
    expect(isForbidden).toBe(!allowed[role].includes(action))
    if (!isForbidden) return
    expect(answer.status).toBe(422)
    expect(await shop.billing.billing.order(order.id)).toEqual(before)
    const entries = await shop.billing.auditLog.newest({ limit: 1, subject: `order ${order.id}` })
    expect(entries).toMatchObject([{ action, outcome: "failed", operator: who.email }])
  },
)

test("a viewer who confirms a refund without a reason is refused and recorded, and not asked for one", async () => {
  await askForRefund()
  const viewer = await enrolled(shop, "viewer")
  const form = { action: "confirm-action", target: "asked", reason: "", key: await keyOfOwnSession(viewer) }
  const answer = await viewer.request({ path: `/admin/orders/${order.id}`, form })
  expect(await answer.text()).toContain("Your role may not do this.")
  const entries = await shop.billing.auditLog.newest({ limit: 1, subject: `order ${order.id}` })
  expect(entries).toMatchObject([{ action: "confirm-action", outcome: "failed", operator: viewer.email }])
})
