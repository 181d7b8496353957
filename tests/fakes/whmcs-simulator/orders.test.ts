import { afterEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "./start"
import { callsTo, client, encoded, order } from "./test-client"

let whmcs: Whmcs
afterEach(() => whmcs.close())

const NOON = Date.UTC(2026, 5, 15, 12)

async function started(options: WhmcsOptions = {}) {
  whmcs = await startWhmcs({ now: () => NOON, ...options })
  const { call } = callsTo(whmcs)
  return { call, owed: async () => (await call("GetInvoice", { invoiceid: 1 })).total }
}

test("staff-only fields are not on the order form, and every service has them", async () => {
  const { call } = await started()
  await order(call, { customfields: [encoded({ 13: "00:1A:79:00:00:01" })] })
  const { products } = await call("GetClientsProducts", { clientid: 1 })
  expect(products.product[0].customfields.customfield.at(-1)).toMatchObject({
    id: "13",
    name: "MAC Address",
    value: "00:1A:79:00:00:01",
  })
})

test("an order creates a pending service and an unpaid invoice, and returns their ids as texts", async () => {
  const { call, owed } = await started()
  const fields = {
    customfields: [encoded({ 11: "TVABCDEFGH" })],
    configoptions: [encoded({ 2: "2", 4: "1" })],
    notes: "Checkout order 7",
  }
  expect(await order(call, fields)).toEqual({
    result: "success",
    orderid: "1",
    serviceids: "1",
    addonids: "",
    domainids: "",
    invoiceid: "1",
  })
  expect(await owed()).toBe("18.50")
  const { orders } = await call("GetOrders", { id: 1, userid: 1 })
  expect(orders.order).toMatchObject([
    {
      id: 1,
      status: "Pending",
      amount: "18.50",
      invoiceid: 1,
      paymentstatus: "Unpaid",
      date: "2026-06-15 12:00:00",
      notes: "Checkout order 7",
      lineitems: { lineitem: [{ type: "product", relid: 1, billingcycle: "Monthly", status: "Pending" }] },
    },
  ])
  const { products } = await call("GetClientsProducts", { clientid: 1, serviceid: 1 })
  expect(products.product).toMatchObject([
    {
      id: "1",
      status: "Pending",
      username: "",
      nextduedate: "2026-06-15",
      billingcycle: "Monthly",
      configoptions: {
        configoption: [
          { id: "2", type: "quantity", value: "2" },
          { id: "4", type: "yesno", value: "1" },
        ],
      },
    },
  ])
})

test("days and times are in the installation's local time zone", async () => {
  const { call } = await started({ timeZone: "Asia/Tokyo", now: () => Date.UTC(2026, 5, 15, 20) })
  await order(call)
  expect(whmcs.orders[0]?.date).toBe("2026-06-16 05:00:00")
  expect(whmcs.invoices[0]?.date).toBe("2026-06-16")
})

test("options in an unreadable map are ignored", async () => {
  const { call, owed } = await started()
  const broken = Buffer.from('a:1:{i:2;s:2:"1";}').toString("base64")
  await order(call, { configoptions: [broken] })
  expect(await owed()).toBe("12.00")
})

test.each(["pid", "billingcycle", "configoptions", "customfields", "priceoverride"])(
  "AddOrder rejects %s that is not an array",
  async (name) => {
    const { call } = await started()
    const response = await order(call, { [name]: "1" })
    expect(response).toEqual({ result: "error", message: `Expecting parameter '${name}' to be an array` })
    expect(whmcs.orders).toEqual([])
  },
)

test.each([
  [{ clientid: 9 }, "Client ID Not Found"],
  [
    { paymentmethod: "paypal" },
    "Invalid Payment Method. Valid options include offshore,coinbase,cryptomusgateway,btcpay",
  ],
  [{ pid: ["99"] }, "No items added to cart so order cannot proceed"],
])("AddOrder rejects an order with %j", async (changes, message) => {
  const { call } = await started()
  expect(await order(call, changes)).toEqual({ result: "error", message })
})

test("AddOrder rejects a closed client", async () => {
  const { call } = await started()
  const clientid = await client(call)
  Object.assign(whmcs.clients[0] ?? {}, { status: "Closed" })
  expect(await order(call, { clientid })).toMatchObject({
    message: "Unable to add order when client status is Closed",
  })
})

test.each([
  ["product", "5.50"],
  ["everything", "3.00"],
] as const)("a price override can apply to the %s", async (meaning, total) => {
  const { call, owed } = await started()
  whmcs.quirks.priceOverride = meaning
  await order(call, { priceoverride: ["3.00"], configoptions: [encoded({ 2: "1" })] })
  expect(await owed()).toBe(total)
})

test("a setup fee is charged on the first invoice only", async () => {
  const { call, owed } = await started({ setupFees: { 1: { EUR: { monthly: 500 } } } })
  await order(call)
  expect(await owed()).toBe("17.00")
  expect(whmcs.services[0]).toMatchObject({ firstPayment: 1700, recurring: 1200 })
})

test("some versions use the minimum of a quantity instead of the submitted one", async () => {
  const { call, owed } = await started()
  whmcs.quirks.orderedQuantity = "least"
  await order(call, { configoptions: [encoded({ 2: "2" })] })
  expect(await owed()).toBe("12.00")
})

test("an order without an invoice or without an amount due has no invoice id", async () => {
  const { call } = await started()
  expect(await order(call, { noinvoice: true })).toMatchObject({ orderid: "1", invoiceid: "0" })
  whmcs.quirks.noInvoice = "missing"
  expect(await order(call, { clientid: "1", priceoverride: ["0.00"] })).not.toHaveProperty("invoiceid")
  expect(whmcs.invoices).toEqual([])
})

test("an invoice in another currency uses the prices of that currency", async () => {
  const { call, owed } = await started()
  await order(call, { clientid: await client(call, { currency: 2 }) })
  expect(await owed()).toBe("10.50")
})
