import { rmSync } from "node:fs"
import { join } from "node:path"
import { DAY, SECOND } from "~/domain/calendar"
import type { Customer } from "~/domain/customers/customer"
import type { Order } from "~/domain/orders/order"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { createLine } from "~/flows/resellers/create-line.server"
import { startResellerReview } from "~/flows/resellers/start-reseller-review.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { documentPolicy } from "../../fixtures/document-policy"
import { buy, pay, request } from "../../fixtures/purchase"
import { germanTax } from "../../fixtures/tax-rules"
import { choice, openTestShop, pricing, type TestShop, TOTAL } from "../../fixtures/test-shop"
import { temporaryFolder } from "../../support/temporary-folder"
import { rowsAt, rowsInFile } from "./stored-rows"
import type { SystemState } from "./system-state"

const WITH_CODE = TOTAL - 15_00
const offshore = { gateway: "offshore", coin: null } as const

/**
 * Returns the state after typical purchases: Ana bought with a promo code, overpaid by a tenth and then bought
 * connections. Ben paid a part and then nothing. Dora is a reseller with a line. Eve has paid and the panel is down.
 * Fay has not paid. The shop issues invoices.
 */
export async function validState(databaseUrl: string | null = null): Promise<SystemState> {
  const folder = temporaryFolder()
  const file = join(folder, "boxoffice.db")
  const issuing = { tax: germanTax, documents: documentPolicy }
  const shop = await openTestShop({ databaseUrl: databaseUrl ?? file, ...issuing })
  try {
    await partlyPaid(shop)
    await withExtras(shop)
    await reseller(shop)
    const panel = linesAt(shop)
    shop.panel.broken = true
    await pay(shop, await boughtBy(shop, "eve@example.test"))
    await boughtBy(shop, "fay@example.test")
    const database = databaseUrl ? await rowsAt(databaseUrl) : rowsInFile(file)
    const gateways = database.payment_attempts.map(({ id, received }) => ({ names: [id], received }))
    return { database, gateways, panel, meant: new Map([["ana@example.test", 2]]), now: shop.services.now() }
  } finally {
    await shop.billing.close()
    rmSync(folder, { recursive: true })
  }
}

async function boughtBy(shop: TestShop, email: string): Promise<Order> {
  return (await buy(shop, { key: email, choices: { ...choice, email } })).order
}

async function partlyPaid(shop: TestShop): Promise<void> {
  const order = await boughtBy(shop, "ben@example.test")
  await receive(shop, order, TOTAL - 1)
  shop.wait(9 * DAY)
  await sweep(shop.services, "sweeper")
}

async function withExtras(shop: TestShop): Promise<void> {
  const choices = { ...choice, promoCode: "YEAR15" }
  const { order } = await buy(shop, { key: "ana", choices, agreedTotal: WITH_CODE })
  await receive(shop, order, WITH_CODE + 8_39)
  const { services } = shop
  const service = await services.billing.service(order.serviceId)
  if (!service) throw new Error("no service")
  const input = { service, customer: null, orderId: null, quantity: 2, shownUnit: null, key: "ana-more" }
  const more = await buyUpsell(services, {
    ...input,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
  })
  if (more.kind !== "placed") throw new Error("not placed")
  await openPayment(services, more.order, offshore)
  await pay(shop, more.order)
}

async function reseller(shop: TestShop): Promise<void> {
  const { services } = shop
  const started = await startResellerReview(services, {
    key: "dora",
    plan: "12",
    gateway: "offshore",
    coin: null,
    promoCode: null,
    locale: "en-en",
    buyer: { kind: "new", email: "dora@example.test", password: "correct horse battery staple" },
    agreed: { code: null, shown: undefined },
    pricing,
    who: { address: null, visitor: null, authenticated: false },
  })
  if (started.kind !== "ready") throw new Error(`not begun: ${started.kind}`)
  const { choices, key, total, customer } = started
  const placed = await placeOrder(services, request({ choices, key, customer, agreedTotal: total }))
  if (placed.kind !== "placed") throw new Error("not placed")
  await openPayment(services, placed.order, offshore)
  await pay(shop, placed.order)
  const service = await services.billing.service(placed.order.serviceId)
  if (!service) throw new Error("no service")
  const line = {
    customer: customer as Customer,
    service,
    key: "dora-1",
    notes: "Leo",
    locale: "en-en",
  } as const
  await createLine(services, { ...line, address: null, country: "XX", browser: null })
  await runJobs(services)
}

async function receive(shop: TestShop, order: Order, minor: number): Promise<void> {
  shop.gateway.reports(minor < order.total.minor ? "partially-paid" : "paid", minor)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, order.id)
  shop.gateway.reports("pending", 0)
  await runJobs(shop.services)
}

/** The last command that the panel received for each line. */
function linesAt({ panel }: TestShop) {
  const lines = new Map(panel.received.map(({ line }) => [line.id, line]))
  return [...lines.values()].map(({ id, username, connections }) => ({
    serviceId: id,
    username,
    connections,
  }))
}
