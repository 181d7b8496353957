import { describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { PlanUpgrades, UpgradePrice } from "~/billing/services/plan-upgrades"
import type { Product } from "~/domain/catalogue/catalogue"
import { money } from "~/domain/money/money"
import type { AccountCreditScope, Order } from "~/domain/orders/order"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import { newLine } from "../../../tests/contracts/provisioner/provisioner-contract"
import { type UpgradeRequest, upgradeChoices, upgradePlan, upgradePrice } from "./upgrade-plan.server"

const NOON = Date.UTC(2026, 5, 15, 12)
const month = {
  ...newLine,
  status: "Active",
  kind: "plan",
  productId: "1",
  cycle: "monthly",
  currency: "EUR",
  term: null,
  paidUntil: Date.UTC(2026, 6, 15),
} as const
const product: Product = {
  id: "1",
  kind: "plan",
  name: "Sport",
  payType: "recurring",
  pricing: { EUR: { monthly: 1_200, annually: 9_900 }, GBP: { monthly: 1_000, quarterly: 2_700 } },
  options: [],
  customFields: [],
}
const products: readonly Product[] = [
  product,
  { ...product, id: "2", name: "Sport XL", pricing: { EUR: { quarterly: 6_000 } } },
  { ...product, id: "3", name: "For ever", payType: "onetime", pricing: { EUR: { monthly: 50_000 } } },
]
const invoice: RenewalInvoice = {
  invoiceId: "7",
  due: NOON,
  balance: money(1_200, "EUR"),
  items: [{ serviceId: month.id, cycles: 1, amount: money(1_200, "EUR") }],
}

function shop(answer: () => UpgradePrice, unpaid: readonly RenewalInvoice[] = []) {
  const planUpgrades: PlanUpgrades = {
    priceUpgrade: async () => answer(),
    openUpgrade: async () => null,
    placeUpgrade: async () => {
      throw new Error("Nothing is ordered")
    },
  }
  const invoiceRenewals = { renewalInvoices: async () => unpaid }
  return { planUpgrades, invoiceRenewals, now: () => NOON }
}

const list = { plans: async () => products }
const free = () => ({ price: money(0, "EUR"), isBlocked: false })
const choose = (services = shop(free), service: Parameters<typeof upgradeChoices>[2]["service"] = month) =>
  upgradeChoices(services, list, { service, read: "shown" })

test("a plan may be changed to the recurring plans of its currency in all their cycles, but not to itself", async () => {
  const named = (await choose())?.targets.map(({ name, cycle }) => [name, cycle])
  expect(named).toEqual([
    ["Sport", "annually"],
    ["Sport XL", "quarterly"],
  ])
  const pounds = await choose(shop(free), { ...month, currency: "GBP" })
  expect(pounds?.targets.map(({ name, cycle, price }) => [name, cycle, price.minor])).toEqual([
    ["Sport", "quarterly", 2_700],
  ])
})

test.each([
  ["is suspended", { status: "Suspended" }],
  ["is a reseller plan", { kind: "reseller" }],
  ["has no due date", { paidUntil: null }],
  ["has no cycle", { cycle: null }],
] as const)("no change is offered for a service that %s", async (_, changes) => {
  expect(await choose(shop(free), { ...month, ...changes })).toBeNull()
})

test("no change is offered where external billing has no call for it", async () => {
  expect(
    await upgradeChoices({ ...shop(free), planUpgrades: null }, list, { service: month, read: "shown" }),
  ).toBeNull()
})

test("an unpaid renewal of the service comes before a change, one of another service does not", async () => {
  expect(await choose(shop(free, [invoice]))).toMatchObject({ isInvoiced: true })
  const items = [{ ...invoice.items[0], serviceId: "another", cycles: 1, amount: money(1, "EUR") }]
  expect(await choose(shop(free, [{ ...invoice, items }]))).toMatchObject({ isInvoiced: false })
})

test("what external billing says of a change is its price, that another is unpaid, or that it is not allowed", async () => {
  const asked = {
    service: month,
    target: { productId: "2", cycle: "quarterly" },
    gateway: "offshore",
  } as const
  const price = money(-500, "EUR")
  const ask = (answer: () => UpgradePrice) => upgradePrice(shop(answer).planUpgrades, asked)
  expect(await ask(() => ({ price, isBlocked: false }))).toEqual({ kind: "priced", price })
  expect(await ask(() => ({ price, isBlocked: true }))).toEqual({ kind: "blocked" })
  const fails = (kind: "refused" | "unavailable") => () => {
    throw new BillingError(kind, "no")
  }
  expect(await ask(fails("refused"))).toEqual({ kind: "refused" })
  await expect(ask(fails("unavailable"))).rejects.toMatchObject({ kind: "unavailable" })
})

describe("a change of plan while no gateway is offered", () => {
  const due = 3_000
  const customer = { id: month.customerId, email: "ana@example.test", reach: "account" } as const
  const request = {
    key: "key-1",
    gateway: "offshore",
    service: month,
    shown: { productId: "2", cycle: "quarterly", due },
    customer,
    orderId: null,
    locale: "en-en",
    address: null,
    country: "ES",
    browser: null,
  } as unknown as UpgradeRequest

  /** Orders the change with this account credit, in minor units, at this price. */
  async function order(credit: number, price = due) {
    const { planUpgrades, invoiceRenewals, now } = shop(() => ({
      price: money(price, "EUR"),
      isBlocked: false,
    }))
    const services = {
      planUpgrades: { ...planUpgrades, placeUpgrade: async () => ({ id: "new" }) as Order },
      invoiceRenewals,
      now,
      newId: () => "id",
      orderNumber: () => "number",
      catalogue: { gateways: async () => [] },
      enabledGateways: ["offshore"],
      billing: { ...list, orderByIdempotencyKey: async () => null },
      payments: {
        accountCredit: async (_: string, currency: "EUR", scope: AccountCreditScope) =>
          money(scope === "account" ? credit : 0, currency),
      },
      shop: {},
    } as unknown as Parameters<typeof upgradePlan>[0]
    return upgradePlan(services, { ...request, shown: { ...request.shown, due: price } })
  }

  test("is ordered if account credit pays all of it, or nothing is to be paid", async () => {
    expect(await order(due)).toMatchObject({ kind: "placed" })
    expect(await order(0, 0)).toMatchObject({ kind: "placed" })
    expect(await order(0, -500)).toMatchObject({ kind: "placed" })
  })

  test("is refused at the gateway if something is left to pay", async () => {
    expect(await order(due - 1)).toEqual({
      kind: "rejected",
      field: "gateway",
      reason: "checkout.gateway.none",
    })
  })
})

test.each([
  ["this change of plan", "placed", {}],
  ["a renewal of the service", "rejected", { kind: "renewal" }],
  ["a change of another service", "rejected", { serviceId: "another" }],
  ["a change of another customer's service", "rejected", { customerId: "another" }],
] as const)("a form whose key has ordered %s before is %s", async (_, kind, changes) => {
  const ordered = { kind: "plan-change", serviceId: month.id, customerId: month.customerId, ...changes }
  const services = { billing: { orderByIdempotencyKey: async () => ordered } }
  const request = { key: "key-1", service: month, shown: { productId: "2", cycle: "quarterly", due: 0 } }
  const placement = await upgradePlan(
    services as unknown as Parameters<typeof upgradePlan>[0],
    request as unknown as UpgradeRequest,
  )
  expect(placement.kind).toBe(kind)
})
