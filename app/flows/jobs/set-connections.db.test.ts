import { expect, test } from "vitest"
import type { LoggedServices } from "~/context/services.server"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { type Order, PAYMENT_DEADLINE } from "~/domain/orders/order"
import { quoteUpsell } from "~/domain/services/upsell"
import { recreateService } from "~/flows/services/change-service.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { runJobs } from "./run-jobs.server"

/** The purchased plan includes two connections. */
const BOUGHT = 2

test("a panel outage delays extra connections, adds one timeline event and is retried", async () => {
  const { shop, upsell } = await withUpsell()
  shop.panel.broken = true
  await pay(shop, upsell)
  await runJobs(shop.services)
  shop.wait(10 * SECOND)
  await runJobs(shop.services)
  expect(await status(shop, upsell)).toBe("paid")
  const timeline = await shop.services.billing.timeline(upsell.id)
  expect(timeline.filter(({ kind }) => kind === "provisioning-delayed")).toHaveLength(1)

  shop.panel.broken = false
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await status(shop, upsell)).toBe("active")
  expect(panelKnows(shop)).toBe(BOUGHT + 1)
})

test("a job for extra connections that keeps failing is parked for the operator", async () => {
  const { shop, upsell } = await withUpsell()
  shop.panel.broken = true
  await pay(shop, upsell)
  for (let attempts = 0; attempts < 40; attempts++) {
    await runJobs(shop.services)
    shop.wait(2 * HOUR)
  }
  expect(await shop.billing.operator.jobs()).toMatchObject([
    { topic: "connections", orderId: upsell.id, state: "parked", reason: "the panel is unavailable" },
  ])
  // The operator's page of the service has it, too.
  expect(await shop.billing.operator.serviceDetails(upsell.serviceId)).toMatchObject({
    jobs: [{ topic: "connections", orderId: upsell.id, state: "parked" }],
  })
  expect(await status(shop, upsell)).toBe("paid")
})

test("updates the panel again when more connections are paid during the update", async () => {
  const { shop, base, upsell } = await withUpsell()
  const second = await ordered(shop, base)
  await pay(shop, upsell)
  const { provisioner } = shop.services
  await runJobs(
    withPanel(shop, {
      async setConnections(line) {
        await provisioner.setConnections(line)
        if (line.connections === BOUGHT + 1) await pay(shop, second)
      },
    }),
  )
  expect(panelKnows(shop)).toBe(BOUGHT + 2)
  expect(await status(shop, upsell)).toBe("active")
})

test("paid connections cancel an unpaid renewal at the price before them, and return the account credit that it used", async () => {
  const { shop, base, upsell } = await withUpsell()
  const { payments, now } = shop.services
  const given = { key: "grant", amount: money(500, "EUR"), reason: "test", at: now() }
  await shop.billing.operator.grantAccountCredit(base.customerId, given)
  const renewal = await renewed(shop, base)
  expect((await payments.accountCredit(base.customerId, "EUR")).minor).toBe(0)
  shop.wait(MINUTE)
  await pay(shop, upsell)
  await runJobs(shop.services)
  expect(await status(shop, renewal)).toBe("cancelled")
  expect((await payments.accountCredit(base.customerId, "EUR")).minor).toBe(500)
})

test("a renewal that is placed once the connections are paid has their price, and can be paid", async () => {
  const { shop, base, upsell } = await withUpsell()
  await pay(shop, upsell)
  shop.wait(SECOND)
  const renewal = await renewed(shop, base)
  await runJobs(shop.services)
  expect(await status(shop, upsell)).toBe("active")
  expect(await status(shop, renewal)).toBe("placed")
})

test("connections paid while the service is being recreated reach the panel afterwards", async () => {
  const { shop, base, upsell } = await withUpsell()
  const service = await shop.services.billing.service(base.serviceId)
  if (!service) throw new Error("no service")
  await recreateService(shop.services, service)
  const { provisioner } = shop.services
  await runJobs(
    withPanel(shop, {
      async create(line) {
        await pay(shop, upsell)
        await runJobs(shop.services)
        return provisioner.create(line)
      },
    }),
  )
  shop.wait(10 * SECOND)
  await runJobs(shop.services)
  expect(panelKnows(shop)).toBe(BOUGHT + 1)
  expect(await status(shop, upsell)).toBe("active")
})

test("rethrows an error that is not a panel error", async () => {
  const { shop, upsell } = await withUpsell()
  await pay(shop, upsell)
  const setConnections = async () => {
    throw new TypeError("a mistake of ours")
  }
  await expect(runJobs(withPanel(shop, { setConnections }))).rejects.toThrow("a mistake of ours")
})

async function withUpsell() {
  const shop = await openTestShop()
  const base = await buyPlan(shop)
  return { shop, base, upsell: await ordered(shop, base) }
}

/** An unpaid renewal of an order's service by its signed-in customer. */
async function renewed({ services }: TestShop, { customerId, serviceId }: Order): Promise<Order> {
  const service = await services.billing.service(serviceId)
  if (!service) throw new Error("There is no service")
  const placed = await renewServices(services, {
    renewed: [{ service, cycles: 1, shown: null }],
    customer: { id: customerId, reach: "account" },
    orderId: null,
    key: "renewal",
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "MA",
    browser: null,
  })
  if (placed.kind !== "placed") throw new Error(placed.reason)
  return placed.order
}

/** An unpaid upsell of one connection for an order's service. */
function ordered({ services }: TestShop, { customerId, serviceId }: Order): Promise<Order> {
  const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(19_90, "EUR") }
  const { billing, newId, now } = services
  return billing.addInvoice({
    key: newId(),
    number: newId,
    customerId,
    serviceId,
    quantity: 1,
    quote: quoteUpsell(extra, 1),
    gateway: "offshore",
    locale: "en-en",
    address: "192.0.2.7",
    accessScope: null,
    accountCreditScope: "none",
    holdReason: null,
    browser: null,
    at: now(),
    deadline: now() + PAYMENT_DEADLINE,
  })
}

async function pay({ services }: TestShop, { id }: Order): Promise<void> {
  await services.billing.applyOrderEvent(id, "paid", services.now())
}

async function status({ services }: TestShop, { id }: Order) {
  return (await services.billing.order(id))?.status
}

/** The number of connections last sent to the panel. */
function panelKnows({ panel }: TestShop) {
  return panel.received.at(-1)?.line.connections
}

/** The shop with some of the panel's methods replaced. */
function withPanel({ services }: TestShop, ways: Partial<LoggedServices["provisioner"]>): LoggedServices {
  return { ...services, provisioner: { ...services.provisioner, ...ways } }
}
