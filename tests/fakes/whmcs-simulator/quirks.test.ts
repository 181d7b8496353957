import { afterEach, beforeEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs } from "./start"
import { callsTo, client, encoded, order } from "./test-client"

let whmcs: Whmcs
let now = 0
let call: ReturnType<typeof callsTo>["call"]
beforeEach(async () => {
  now = Date.UTC(2026, 5, 15, 12)
  whmcs = await startWhmcs({ now: () => now })
  call = callsTo(whmcs).call
})
afterEach(() => whmcs.close())

test("a role without permissions denies every action", async () => {
  whmcs.quirks.deny.actions = ["*"]
  expect(await call("GetOrders")).toMatchObject({
    message: 'Invalid Permissions: API action "getorders" is not allowed',
  })
})

test("a slow installation has processed the call when the client times out", async () => {
  whmcs.quirks.slowMs = 60_000
  const body = new URLSearchParams({ ...whmcs.settings, accessKey: "", action: "GetProducts" })
  const pending = fetch(`${whmcs.url}/includes/api.php`, { method: "POST", body })
  pending.catch(() => "given up")
  await expect.poll(() => whmcs.calls).toHaveLength(1)
  await whmcs.close()
  await expect(pending).rejects.toThrow()
  whmcs = await startWhmcs()
})

test("an order without an amount due can have a paid invoice, which provisions it", async () => {
  whmcs.quirks.freeOrders = "paid-invoice"
  expect(await order(call, { priceoverride: ["0.00"] })).toMatchObject({ invoiceid: "1" })
  expect(whmcs.invoices).toMatchObject([{ status: "Paid" }])
  expect(whmcs.services).toMatchObject([{ status: "Active" }])
})

test("a client's credit can pay an order automatically", async () => {
  const clientid = await client(call)
  await call("AddCredit", { clientid, description: "-", amount: "5.00" })
  whmcs.quirks.usesCredit = true
  await order(call, { clientid })
  expect(await call("GetInvoice", { invoiceid: 1 })).toMatchObject({
    subtotal: "12.00",
    credit: "5.00",
    total: "7.00",
    balance: "7.00",
    status: "Unpaid",
  })
})

test("the server is assigned with the order, or only when the line is created", async () => {
  const host = async () =>
    (await call("GetClientsProducts", { clientid: 1 })).products.product.at(-1).serverhostname
  await order(call)
  expect(await host()).toBe("panel.example.test")
  whmcs.quirks.serverKnown = "created"
  await order(call, { clientid: "1" })
  expect(await host()).toBe("")
  await call("ModuleCreate", { serviceid: 2 })
  expect(await host()).toBe("panel.example.test")
})

test("a selected yes/no option is a number or a word", async () => {
  const taken = async () => {
    const { products } = await call("GetClientsProducts", { clientid: 1 })
    return products.product[0].configoptions.configoption[1].value
  }
  await order(call, { configoptions: [encoded({ 4: "1" })] })
  expect(await taken()).toBe("1")
  whmcs.quirks.yesNo = "word"
  expect(await taken()).toBe("Yes")
})

test("OrderFraudCheck checks an order and returns the configured status", async () => {
  await order(call)
  whmcs.quirks.fraudStatus = "Fail"
  expect(await call("OrderFraudCheck", { orderid: 1 })).toMatchObject({ status: "Fail" })
  expect(await call("OrderFraudCheck", { orderid: 9 })).toMatchObject({ message: "Order ID Not Found" })
})

test("an unpaid invoice is listed as overdue after its due date, and orders are counted", async () => {
  await order(call)
  expect((await call("GetInvoices", { status: "Overdue" })).totalresults).toBe(0)
  now += 86_400_000
  expect((await call("GetInvoices", { status: "Overdue" })).totalresults).toBe(1)
  const { statuses } = await call("GetOrderStatuses")
  expect(statuses.status[0]).toEqual({ title: "Pending", count: 1 })
})
