import { afterEach, describe, expect, test } from "vitest"
import { CustomerRejectedError, PromotionRefusedError } from "~/billing/billing"
import { DAY } from "~/domain/calendar"
import { totalOf } from "../../../../../tests/fakes/whmcs-simulator/invoice-operations"
import {
  asOwned,
  credentials,
  euros,
  NOON,
  orderRequestAt,
  type WhmcsShop,
  whmcsShop,
} from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const year15 = { code: "YEAR15", discount: { kind: "fixed" as const, amount: euros(1_500) } }
const invoiceTotal = (id: string | null) =>
  shop.whmcs.invoices.find((it) => String(it.id) === id)?.items.reduce((sum, { amount }) => sum + amount, 0)
const callsOf = (action: string) => shop.whmcs.calls.filter((it) => it.action === action)

test("placeOrder creates a pending order, an unpaid invoice and a pending service", async () => {
  shop = await whmcsShop()
  const request = await orderRequestAt(shop, { extras: { extraConnection: true, proxyProtection: true } })
  const placed = await shop.office.placeOrder(request)
  expect(placed).toEqual({ orderId: "1", invoiceId: "1", serviceId: "1", link: null, taxes: [] })
  expect(invoiceTotal("1")).toBe(1_200 + 250 + 150)
  expect(await shop.office.orderStatus(asOwned(request, placed))).toEqual({
    state: "open",
    received: euros(0),
  })
  expect(await shop.office.service({ customerId: request.customerId, serviceId: "1" })).toMatchObject({
    productId: "1",
    kind: "plan",
    name: "1 month",
    status: "Pending",
    cycle: "monthly",
    currency: "EUR",
    ...credentials,
    connections: 2,
    proxyProtection: true,
    createdAt: Date.UTC(2026, 5, 15),
    orderId: "1",
  })
})

test("placeOrder sends the promo code, and the invoice total matches the quote without an adjustment", async () => {
  shop = await whmcsShop()
  const placed = await shop.office.placeOrder(await orderRequestAt(shop, { pid: "3", discount: year15 }))
  expect(invoiceTotal(placed.invoiceId)).toBe(6_400)
  expect(callsOf("UpdateInvoice")).toEqual([])
})

test.each([
  ["higher in WHMCS because of a set-up fee", { setupFees: { "1": { EUR: { monthly: 500 } } } }],
  ["lower in WHMCS because the operator changed the price", { setupFees: {} }],
])("placeOrder adjusts an invoice total once that is %s", async (_, options) => {
  shop = await whmcsShop(options)
  const request = await orderRequestAt(shop)
  const dear = { ...request, quote: { ...request.quote, total: euros(1_300) } }
  const placed = await shop.office.placeOrder(dear)
  expect(invoiceTotal(placed.invoiceId)).toBe(1_300)
  expect(await shop.office.findOrder(dear)).toEqual(placed)
  expect([invoiceTotal(placed.invoiceId), callsOf("UpdateInvoice").length]).toEqual([1_300, 1])
})

test.each([
  ["within the prices", "Inclusive", [19, 0], [{ basisPoints: 1_900, amount: 192 }]],
  ["added to the prices", "Exclusive", [19, 0], [{ basisPoints: 1_900, amount: 192 }]],
  ["of a rate with three decimals", "Exclusive", [8.875, 0], [{ basisPoints: 887.5, amount: 98 }]],
  [
    "of two levels",
    "Exclusive",
    [5, 9.975],
    [
      { basisPoints: 500, amount: 52 },
      { basisPoints: 997.5, amount: 104 },
    ],
  ],
  ["of no rate", "Exclusive", [0, 0], []],
] as const)(
  "placeOrder and findOrder tell the tax in the agreed price, as the invoice states it: %s",
  async (_, type, rates, taxes) => {
    shop = await whmcsShop()
    shop.whmcs.quirks.tax = { rates, type }
    const request = await orderRequestAt(shop)
    const placed = await shop.office.placeOrder(request)
    expect(placed.taxes).toEqual(taxes)
    // The buyer has agreed to this total, whatever WHMCS adds to its prices.
    expect(shop.whmcs.invoices.map(totalOf)).toEqual([1_200])
    expect(await shop.office.findOrder(request)).toEqual(placed)
  },
)

test("placeOrder leaves an invoice with an item that is not taxed at the tax that WHMCS states", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.tax = { rates: [19, 0], type: "Exclusive" }
  const request = await orderRequestAt(shop)
  const { invoiceId } = await shop.office.placeOrder(request)
  const invoice = shop.whmcs.invoices.find(({ id }) => String(id) === invoiceId)
  invoice?.items.push({ id: 99, type: "", relid: 0, description: "Advice", amount: 500, taxed: false })
  expect(await shop.office.findOrder(request)).toMatchObject({ taxes: [{ basisPoints: 1_900, amount: 192 }] })
  expect(shop.whmcs.invoices.map(totalOf)).toEqual([1_200])
})

test("placeOrder reads the tax with the invoice that it adjusts, by no further call", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.tax = { rates: [19, 0], type: "Inclusive" }
  await shop.office.placeOrder(await orderRequestAt(shop))
  expect(callsOf("GetInvoice")).toHaveLength(1)
})

test("placeOrder counts account credit that WHMCS applied as part of the quoted total", async () => {
  shop = await whmcsShop()
  const request = await orderRequestAt(shop)
  const client = shop.whmcs.clients[0]
  if (client) client.credit = 300
  shop.whmcs.quirks.usesCredit = true
  const { invoiceId } = await shop.office.placeOrder(request)
  expect([invoiceTotal(invoiceId), callsOf("UpdateInvoice").length]).toEqual([1_200, 0])
})

test("placeOrder corrects the quantity if AddOrder stored the minimum", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.orderedQuantity = "least"
  const request = await orderRequestAt(shop, { extras: { extraConnection: true } })
  const { serviceId, invoiceId } = await shop.office.placeOrder(request)
  const { customerId } = request
  expect(await shop.office.service({ customerId, serviceId })).toMatchObject({ connections: 2 })
  expect(invoiceTotal(invoiceId)).toBe(1_450)
})

test("placeOrder creates a reseller's line with price 0 and without an invoice", async () => {
  shop = await whmcsShop()
  const request = await orderRequestAt(shop, { kind: "line" })
  expect(await shop.office.placeOrder(request)).toMatchObject({
    orderId: "1",
    invoiceId: null,
    serviceId: "1",
  })
  expect([shop.whmcs.services[0]?.recurring, shop.whmcs.invoices.length]).toEqual([0, 0])
})

describe("findOrder", () => {
  test("finds an order with a lost response by the order id in its notes and completes it", async () => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop, { pid: "3", discount: year15 })
    shop.whmcs.quirks.dropResponse("AddOrder")
    await expect(shop.office.placeOrder(request)).rejects.toMatchObject({ kind: "unavailable" })
    const found = await shop.office.findOrder(request)
    expect(found).toEqual({ orderId: "1", invoiceId: "1", serviceId: "1", link: null, taxes: [] })
    expect([shop.whmcs.orders.length, invoiceTotal("1")]).toEqual([1, 6_400])
  })

  test("finds an order by the service's username if the notes do not match", async () => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop)
    await shop.office.placeOrder(request)
    const renumbered = { ...request, orderId: "ZZZZZZZZZZ" }
    expect(await shop.office.findOrder(renumbered)).toMatchObject({ orderId: "1", serviceId: "1" })
  })

  test("returns null if WHMCS has no order, or only one older than the request", async () => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop)
    expect(await shop.office.findOrder(request)).toBeNull()
    await shop.office.placeOrder(request)
    expect(await shop.office.findOrder({ ...request, at: NOON + 2 * DAY })).toBeNull()
  })

  test("returns null for an order with another order id and username", async () => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop)
    await shop.office.placeOrder(request)
    const other = { orderId: "ZZZZZZZZZZ", credentials: { username: "TVOTHER", password: "1" } }
    expect(await shop.office.findOrder({ ...request, ...other })).toBeNull()
  })
})

describe("placeOrder rejects", () => {
  test("an order in a currency other than the client's", async () => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop)
    const total = { minor: 1_050, currency: "GBP" as const }
    const other = { ...request, quote: { ...request.quote, total } }
    await expect(shop.office.placeOrder(other)).rejects.toMatchObject({
      kind: "refused",
      message: "Cannot place order: WHMCS client 1 pays in EUR, order is in GBP",
    })
    expect(callsOf("AddOrder")).toEqual([])
  })

  test.each([
    ["closed since the identification", { status: "Closed" }],
    ["charged in a currency that the shop does not support", { currency: "PLN" }],
    ["charged in an unknown currency", { currency: "" }],
  ])("an order of a client %s, before anything is created", async (_, change) => {
    shop = await whmcsShop()
    const request = await orderRequestAt(shop)
    Object.assign(shop.whmcs.clients[0] ?? {}, change)
    await expect(shop.office.placeOrder(request)).rejects.toBeInstanceOf(CustomerRejectedError)
    expect([shop.whmcs.orders, shop.whmcs.invoices]).toEqual([[], []])
    expect(callsOf("UpdateInvoice")).toEqual([])
  })

  test("an order with an unusable promo code, and cancels the WHMCS order", async () => {
    shop = await whmcsShop()
    const gone = { code: "SUMMER25", discount: { kind: "percentage" as const, basisPoints: 2_500 } }
    const request = await orderRequestAt(shop, { discount: gone })
    await expect(shop.office.placeOrder(request)).rejects.toMatchObject({ kind: "refused" })
    expect(shop.whmcs.orders.map(({ status }) => status)).toEqual(["Cancelled"])
    await expect(shop.office.findOrder(request)).rejects.toMatchObject({ kind: "refused" })
  })

  test.each([
    ["once per client", { oncePerClient: true }, "used-by-person"],
    ["for new clients", { newSignups: true }, "by-billing"],
  ])(
    "an order of a client who may not use its promo code, which is %s, for that code",
    async (_, limits, reason) => {
      shop = await whmcsShop()
      Object.assign(shop.whmcs.promotions.find(({ code }) => code === year15.code) ?? {}, limits)
      const first = await orderRequestAt(shop, { pid: "3", discount: year15 })
      await shop.office.placeOrder(first)
      const again = shop.office.placeOrder({ ...first, orderId: "another order" })
      await expect(again).rejects.toMatchObject({ name: PromotionRefusedError.name, reason })
      expect(shop.whmcs.orders.map(({ status }) => status)).toEqual(["Pending", "Cancelled"])
    },
  )

  test("an order with a gateway that is no active payment module", async () => {
    shop = await whmcsShop({ gateways: ["coinbase"] })
    const request = await orderRequestAt(shop)
    await expect(shop.office.placeOrder(request)).rejects.toThrow(/Invalid Payment Method/)
  })
})
