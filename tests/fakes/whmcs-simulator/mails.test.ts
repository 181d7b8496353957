import { afterEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "./start"
import { callsTo, client, order } from "./test-client"

let whmcs: Whmcs
afterEach(() => whmcs.close())

async function started(options: WhmcsOptions = {}) {
  whmcs = await startWhmcs(options)
  return callsTo(whmcs).call
}

const sent = () => whmcs.mails.map(({ template }) => template)

test("every action sends its message unless its own parameter turns it off", async () => {
  const call = await started({ autosetup: "" })
  const clientid = await client(call)
  const { orderid, invoiceid } = await order(call, { clientid })
  await call("AddInvoicePayment", { invoiceid, transid: "1", gateway: "offshore" })
  await call("AcceptOrder", { orderid, autosetup: true })
  const cancelled = await order(call, { clientid, noinvoice: true })
  await call("CancelOrder", { orderid: cancelled.orderid })
  expect(sent()).toEqual([
    "Client Signup Email",
    "Order Confirmation",
    "Invoice Created",
    "Invoice Payment Confirmation",
    "New Product Information",
    "Order Confirmation",
    "Order Cancelled",
  ])
  expect(new Set(whmcs.mails.map(({ to }) => to))).toEqual(new Set(["ana@example.test"]))
})

test("with all of them turned off nothing is sent", async () => {
  const call = await started({ autosetup: "" })
  const clientid = await client(call, { noemail: true })
  const silent = { clientid, noemail: true, noinvoiceemail: true }
  const { orderid, invoiceid } = await order(call, silent)
  await call("AddInvoicePayment", { invoiceid, transid: "1", gateway: "offshore", noemail: true })
  await call("AcceptOrder", { orderid, autosetup: true, sendemail: false })
  await call("CancelOrder", { orderid: (await order(call, silent)).orderid, noemail: true })
  expect(sent()).toEqual([])
})

test.each([
  [true, ["New Product Information"]],
  [false, []],
])(
  "a product that is set up by its payment sends its welcome e-mail if it has one (%s)",
  async (welcomeEmail, all) => {
    const call = await started({ autosetup: "payment", welcomeEmail })
    const clientid = await client(call, { noemail: true })
    const { invoiceid } = await order(call, { clientid, noemail: true, noinvoiceemail: true })
    await call("AddInvoicePayment", { invoiceid, transid: "1", gateway: "offshore", noemail: true })
    expect(sent()).toEqual(all)
  },
)
