import { afterEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "./start"
import { callsTo, encoded, order } from "./test-client"

let whmcs: Whmcs
afterEach(() => whmcs.close())

async function started(options: WhmcsOptions = {}) {
  whmcs = await startWhmcs({ now: () => Date.UTC(2026, 5, 15, 12), ...options })
  return callsTo(whmcs)
}

/** Creates an active service. */
async function active(options: WhmcsOptions = {}) {
  const calls = await started(options)
  await order(calls.call)
  whmcs.staff.markPaid(1)
  return calls
}

const access = { serviceusername: "TVABCDEFGH", servicepassword: "0123456789" }

test("without provisioning on payment, a service waits until its order is accepted", async () => {
  const { call } = await started({ autosetup: "" })
  await order(call)
  whmcs.staff.markPaid(1)
  expect(whmcs.services).toMatchObject([{ status: "Pending" }])
  expect(await call("AcceptOrder", { orderid: 1, autosetup: true, ...access })).toEqual({ result: "success" })
  expect(whmcs.services).toMatchObject([{ status: "Active", username: "TVABCDEFGH" }])
  expect(await call("AcceptOrder", { orderid: 1 })).toMatchObject({
    message: "Order ID not found or Status not Pending",
  })
})

test("an order accepted without running the module counts as active, without a line at the panel", async () => {
  const { call } = await started({ autosetup: "" })
  await order(call)
  await call("AcceptOrder", { orderid: 1, autosetup: false })
  expect(whmcs.services).toMatchObject([{ status: "Active", username: "" }])
  expect(whmcs.lines).toEqual([])
})

test("a panel's error is the response of the command, and the order stays pending", async () => {
  const { call } = await started()
  await order(call)
  whmcs.quirks.panelRefuses = "No credits left on the panel"
  const body = { result: "error", message: "No credits left on the panel" }
  expect(await call("AcceptOrder", { orderid: 1, autosetup: true })).toEqual(body)
  expect(await call("ModuleCreate", { serviceid: 1 })).toEqual(body)
  expect(whmcs.orders).toMatchObject([{ status: "Pending" }])
})

test("only a pending order can be cancelled, with its invoice; any order can be marked as fraud", async () => {
  const { call } = await active()
  const refused = { message: "Order ID not found or Status not Pending" }
  expect(await call("CancelOrder", { orderid: 1 })).toMatchObject(refused)
  expect(await call("CancelOrder", { orderid: 9 })).toMatchObject(refused)
  await call("FraudOrder", { orderid: 1 })
  expect(whmcs.services).toMatchObject([{ status: "Fraud" }])
  expect(whmcs.lines).toEqual([])
  await order(call, { clientid: "1" })
  await call("CancelOrder", { orderid: 2 })
  expect(whmcs.invoices[1]).toMatchObject({ status: "Cancelled" })
  await call("PendingOrder", { orderid: 2 })
  expect(whmcs.orders[1]).toMatchObject({ status: "Pending" })
  expect(await call("FraudOrder", { orderid: 9 })).toMatchObject({ message: "Order ID Not Found" })
})

test("module commands return their own error messages", async () => {
  const { call } = await started({ module: "" })
  await order(call)
  expect(await call("ModuleCreate")).toMatchObject({ message: "Service ID is required" })
  expect(await call("ModuleCreate", { serviceid: 9 })).toMatchObject({ message: "Service ID not found" })
  expect(await call("ModuleCreate", { accountid: 1 })).toMatchObject({
    message: "Service not assigned to a module",
  })
})

test("a line can be suspended, unsuspended, terminated and recreated, each only once at a time", async () => {
  const { call } = await active()
  const status = async (action: string) => {
    await call(action, { serviceid: 1 })
    return whmcs.services[0]?.status
  }
  expect(await status("ModuleSuspend")).toBe("Suspended")
  expect(await status("ModuleUnsuspend")).toBe("Active")
  expect(await call("ModuleCreate", { serviceid: 1 })).toMatchObject({
    message: "The account exists already",
  })
  expect(await status("ModuleTerminate")).toBe("Terminated")
  expect(await call("ModuleTerminate", { serviceid: 1 })).toMatchObject({
    message: "The account does not exist",
  })
  expect(await status("ModuleCreate")).toBe("Active")
})

test("a stored device reaches the panel with the next command only", async () => {
  const { call } = await active()
  const customfields = encoded({ 13: "00:1A:79:00:00:01" })
  await call("UpdateClientProduct", { serviceid: 1, customfields, notes: "Living room" })
  expect(whmcs.lines).toMatchObject([{ device: "" }])
  await call("ModuleCustom", { serviceid: 1, func_name: "sync_device" })
  expect(whmcs.lines).toMatchObject([{ device: "00:1A:79:00:00:01" }])
  expect(await call("ModuleCustom", { serviceid: 1, func_name: "dance" })).toMatchObject({
    message: "Function Not Supported by Module",
  })
  expect(whmcs.services[0]).toMatchObject({ notes: "Living room" })
  expect(await call("UpdateClientProduct", { serviceid: 9 })).toMatchObject({
    message: "Service ID Not Found",
  })
})

test("a quantity is set by the choice and its number", async () => {
  const { call } = await active()
  const configoptions = "YToxOntpOjI7YToyOntzOjg6Im9wdGlvbmlkIjtpOjU7czozOiJxdHkiO2k6Mjt9fQ=="
  await call("UpdateClientProduct", { serviceid: 1, configoptions, autorecalc: true })
  expect(whmcs.services[0]).toMatchObject({ options: { 2: { quantity: 2 } }, recurring: 1_700 })
})

test("an upgrade has its own order and takes effect with its payment", async () => {
  const { call } = await active()
  const upgrade = {
    serviceid: 1,
    type: "configoptions",
    paymentmethod: "offshore",
    configoptions: { 2: 3 },
  }
  expect(await call("UpgradeProduct", { ...upgrade, calconly: true })).toMatchObject({ price: "€7.50 EUR" })
  expect(await call("UpgradeProduct", upgrade)).toMatchObject({ orderid: 2, invoiceid: 2 })
  expect(await call("UpgradeProduct", upgrade)).toMatchObject({
    message: "Unable to accept upgrade order. Previous upgrade invoice for service is still unpaid.",
  })
  expect(whmcs.lines).toMatchObject([{ connections: 1 }])
  await call("AddInvoicePayment", { invoiceid: 2, transid: "t", gateway: "offshore", date: "" })
  expect(whmcs.lines).toMatchObject([{ connections: 4 }])
  expect(whmcs.services[0]).toMatchObject({ recurring: 1_950 })
  expect(await call("UpgradeProduct", { ...upgrade, type: "x" })).toMatchObject({
    message: "Invalid Upgrade Type",
  })
})

test("an upgrade to another product takes effect with its payment, and a cheaper one at once with credit", async () => {
  const { call } = await active()
  const upgrade = {
    serviceid: 1,
    type: "product",
    paymentmethod: "offshore",
    newproductbillingcycle: "monthly",
  }
  const year = { ...upgrade, newproductid: 3, newproductbillingcycle: "annually" }
  const priced = await call("UpgradeProduct", { ...year, calconly: true })
  expect(priced).toMatchObject({ upgradeinprogress: 0 })
  const { invoiceid } = await call("UpgradeProduct", year)
  expect(await call("UpgradeProduct", { ...year, calconly: true })).toMatchObject({ upgradeinprogress: 1 })
  expect(await call("UpgradeProduct", year)).toMatchObject({ result: "error" })
  expect(whmcs.services[0]).toMatchObject({ pid: "1", cycle: "monthly" })
  await call("AddInvoicePayment", { invoiceid, transid: "t", gateway: "offshore", date: "" })
  expect(whmcs.services[0]).toMatchObject({ pid: "3", cycle: "annually", nextDue: "2027-06-15" })
  const month = { ...upgrade, newproductid: 1 }
  expect((await call("UpgradeProduct", { ...month, calconly: true })).price).toMatch(/^€-/)
  expect(await call("UpgradeProduct", month)).toMatchObject({ invoiceid: null })
  expect(whmcs.services[0]).toMatchObject({ pid: "1", cycle: "monthly" })
  expect(whmcs.clients[0]?.credit).toBeGreaterThan(0)
  expect(await call("UpgradeProduct", { ...upgrade, newproductid: 99 })).toMatchObject({ result: "error" })
})

test("an upgrade costs less the later in the month it is bought, and nothing on the last day", async () => {
  let now = Date.UTC(2026, 5, 15, 12)
  const { call } = await active({ now: () => now })
  const price = async () => {
    const upgrade = { serviceid: 1, type: "configoptions", paymentmethod: "offshore", calconly: true }
    return (await call("UpgradeProduct", { ...upgrade, configoptions: { 2: 1 } })).price
  }
  expect(await price()).toBe("€2.50 EUR")
  now = Date.UTC(2026, 5, 30, 12)
  expect(await price()).toBe("€1.25 EUR")
  now = Date.UTC(2026, 6, 15, 12)
  expect(await price()).toBe("€0.00 EUR")
})

test("services are listed by client, in pages", async () => {
  const { call } = await active()
  for (let times = 0; times < 2; times += 1) await order(call, { clientid: "1" })
  const paged = await call("GetClientsProducts", { clientid: 1, limitstart: 1, limitnum: 1 })
  expect(paged).toMatchObject({ totalresults: "3", startnumber: 1, numreturned: 1, serviceid: null })
  expect(paged.products.product).toMatchObject([{ id: "2" }])
  expect(await call("GetClientsProducts", { clientid: 2 })).toMatchObject({ totalresults: "0" })
})
