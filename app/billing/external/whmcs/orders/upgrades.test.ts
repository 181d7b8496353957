import { afterEach, expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import type { ExternalUpsell } from "~/billing/external/external-orders"
import type { PaidExternalOrder } from "~/billing/external/external-services"
import { DAY } from "~/domain/calendar"
import type { WhmcsOptions } from "../../../../../tests/fakes/whmcs-simulator/start"
import {
  asOwned,
  credentials,
  euros,
  NOON,
  paidAt,
  paymentOf,
  settingsFor,
  upsellFor,
  type WhmcsShop,
  whmcsShop,
} from "../../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "../whmcs.server"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const PAID = 2_500
const callsOf = (action: string) => shop.whmcs.calls.filter((it) => it.action === action)
const totals = () =>
  shop.whmcs.invoices.map(({ items }) => items.reduce((sum, { amount }) => sum + amount, 0))

/** A provisioned service with an annual cycle, `days` days later, and a factory for upsells of it. */
async function working({ days = 182, ...options }: WhmcsOptions & { days?: number } = {}) {
  let now = NOON
  shop = await whmcsShop({ now: () => now, ...options })
  const paid = await paidAt(shop, { pid: "3" })
  await shop.office.provision(paid)
  now += days * DAY
  const [, , product] = await shop.office.plans()
  if (!product) throw new Error("Plan not found")
  const upsell = (changes: Partial<ExternalUpsell> = {}) => upsellFor(paid, product, { at: now, ...changes })
  return { paid, upsell }
}

function paidUpsell(upsell: ExternalUpsell, placed: object, connections: number): PaidExternalOrder {
  const { orderId: number, quote, gateway, customerId, at } = upsell
  return {
    ...asOwned({ kind: "plan", customerId, orderId: number }, placed),
    kind: "upsell",
    number,
    gateway,
    at,
    connections,
    productId: "3",
    isRecreation: false,
    total: quote.total,
    payments: [paymentOf(quote.total, `tx-${number}`)],
    covered: quote.total,
    credentials,
  }
}

test("addInvoice creates an upgrade at the quoted price, and provision applies it once", async () => {
  const { upsell } = await working()
  const request = upsell()
  const placed = await shop.office.addInvoice(request)
  expect(placed).toEqual({ orderId: "2", invoiceId: "2", serviceId: "1", link: null, taxes: [] })
  expect(totals()[1]).toBe(2 * 1_990)
  const paid = paidUpsell(request, placed, 3)
  expect(await shop.office.provision(paid)).toMatchObject({ connections: 3 })
  expect(await shop.office.provision(paid)).toMatchObject({ connections: 3 })
  expect(shop.whmcs.lines[0]?.connections).toBe(3)
  expect(shop.whmcs.transactions.length).toBe(2)
})

test("an upgrade keeps the other options of the service", async () => {
  shop = await whmcsShop()
  const paid = await paidAt(
    shop,
    { pid: "3", extras: { proxyProtection: true, extraConnection: true } },
    { payments: [paymentOf(euros(PAID))] },
  )
  await shop.office.provision(paid)
  const [, , product] = await shop.office.plans()
  if (!product) throw new Error("Plan not found")
  const request = upsellFor({ ...paid, connections: 2 }, product)
  const placed = await shop.office.addInvoice(request)
  const done = await shop.office.provision(paidUpsell(request, placed, 4))
  expect(done).toMatchObject({ connections: 4, proxyProtection: true })
})

test("findInvoice finds an upgrade with a lost response and adjusts its price", async () => {
  const { upsell } = await working()
  // WHMCS has created the upgrade, but its invoice has neither mark nor adjusted total.
  shop.whmcs.quirks.dropResponse("GetInvoice")
  const request = upsell()
  await expect(shop.office.addInvoice(request)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await shop.office.findInvoice(request)).toEqual({
    orderId: "2",
    invoiceId: "2",
    serviceId: "1",
    link: null,
    taxes: [],
  })
  expect([shop.whmcs.orders.length, totals()[1]]).toEqual([2, 2 * 1_990])
  expect(await shop.office.addInvoice(request)).toMatchObject({ orderId: "2", invoiceId: "2" })
})

test("findInvoice returns null for an upsell that was never ordered", async () => {
  const { upsell } = await working()
  expect(await shop.office.findInvoice(upsell())).toBeNull()
  await shop.office.addInvoice(upsell())
  expect(await shop.office.findInvoice(upsell({ orderId: "NNNNNNNNNN" }))).toBeNull()
})

test("addInvoice creates a plain invoice while an upgrade is unpaid, and both apply in any payment order", async () => {
  const { upsell } = await working()
  const first = upsell()
  const second = upsell({ orderId: "NNNNNNNNNN", quantity: 1 })
  const placedFirst = await shop.office.addInvoice(first)
  const placedSecond = await shop.office.addInvoice(second)
  expect(placedSecond).toMatchObject({ orderId: null, invoiceId: "3" })
  expect(await shop.office.findInvoice(second)).toEqual(placedSecond)
  expect(totals().slice(1)).toEqual([2 * 1_990, 1_990])
  expect(await shop.office.provision(paidUpsell(second, placedSecond, 2))).toMatchObject({ connections: 2 })
  expect(await shop.office.provision(paidUpsell(first, placedFirst, 4))).toMatchObject({ connections: 4 })
  expect(shop.whmcs.lines[0]?.connections).toBe(4)
})

test("addInvoice creates a plain, cancellable invoice if WHMCS would charge nothing", async () => {
  const { upsell } = await working({ days: 365 })
  const request = upsell()
  const placed = await shop.office.addInvoice(request)
  expect(placed).toMatchObject({ orderId: null, invoiceId: "2", serviceId: "1" })
  expect(await shop.office.findInvoice(request)).toEqual(placed)
  const owned = asOwned({ ...request, kind: "plan" }, placed)
  expect(await shop.office.orderStatus(owned)).toMatchObject({ state: "open" })
  await shop.office.cancelOrder(owned)
  expect(await shop.office.orderStatus(owned)).toMatchObject({ state: "cancelled" })
  expect(await shop.office.provision(paidUpsell(request, placed, 3))).toMatchObject({ connections: 3 })
  expect([shop.whmcs.invoices[1]?.status, shop.whmcs.lines[0]?.connections]).toEqual(["Paid", 3])
})

test("addInvoice creates a new upgrade after a cancelled one", async () => {
  const { upsell } = await working()
  const first = upsell()
  await shop.office.cancelOrder(asOwned({ ...first, kind: "plan" }, await shop.office.addInvoice(first)))
  const again = await shop.office.addInvoice(upsell({ orderId: "NNNNNNNNNN" }))
  expect(again).toMatchObject({ orderId: "3", invoiceId: "3" })
  expect(callsOf("CreateInvoice")).toEqual([])
})

test("addInvoice rejects a client with a currency that the shop does not support, and creates no invoice", async () => {
  const { upsell } = await working()
  Object.assign(shop.whmcs.clients[0] ?? {}, { currency: "PLN" })
  const office = openWhmcs(settingsFor(shop.whmcs))
  await expect(office.addInvoice(upsell())).rejects.toBeInstanceOf(CustomerRejectedError)
  expect([callsOf("UpgradeProduct"), callsOf("CreateInvoice"), shop.whmcs.invoices.length]).toEqual([
    [],
    [],
    1,
  ])
})

test("addInvoice rejects an unknown service and a terminated one", async () => {
  const { paid, upsell } = await working()
  await expect(shop.office.addInvoice(upsell({ serviceId: "77" }))).rejects.toMatchObject({ kind: "refused" })
  await shop.office.terminate(paid)
  await expect(shop.office.addInvoice(upsell())).rejects.toMatchObject({ kind: "refused" })
})
