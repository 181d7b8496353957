import { afterEach, beforeEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs } from "./start"
import { callsTo, client, encoded, order } from "./test-client"

let whmcs: Whmcs
let call: ReturnType<typeof callsTo>["call"]
beforeEach(async () => {
  whmcs = await startWhmcs({ now: () => Date.UTC(2026, 5, 15, 12) })
  call = callsTo(whmcs).call
})
afterEach(() => whmcs.close())

const payment = {
  invoiceid: 1,
  transid: "tx-1",
  gateway: "offshore",
  date: "2026-06-15 11:59:00",
}

test("GetInvoice returns lines and balance, and transactions are an empty text without payments", async () => {
  await order(call, { promocode: "WELCOME10" })
  expect(await call("GetInvoice", { invoiceid: 1 })).toMatchObject({
    invoiceid: "1",
    userid: "1",
    status: "Unpaid",
    subtotal: "10.80",
    balance: "10.80",
    datepaid: "0000-00-00 00:00:00",
    taxrate: "0.000",
    transactions: "",
    items: {
      item: [
        { type: "Hosting", relid: "1", description: "1 month (15/06/2026 - 14/07/2026)", amount: "12.00" },
        { type: "PromoHosting", relid: "1", amount: "-1.20" },
      ],
    },
  })
})

test("a payment that covers an invoice marks it paid and provisions the ordered services", async () => {
  await order(call, { customfields: [encoded({ 11: "TVABCDEFGH", 12: "0123456789" })] })
  expect(await call("AddInvoicePayment", { ...payment, amount: "5.00" })).toEqual({ result: "success" })
  expect(await call("GetInvoice", { invoiceid: 1 })).toMatchObject({ status: "Unpaid", balance: "7.00" })
  await call("AddInvoicePayment", { ...payment, transid: "tx-2" })
  expect(await call("GetInvoice", { invoiceid: 1 })).toMatchObject({
    status: "Paid",
    balance: "0.00",
    datepaid: "2026-06-15 11:59:00",
  })
  const { products } = await call("GetClientsProducts", { clientid: 1 })
  expect(products.product).toMatchObject([
    {
      status: "Active",
      username: "TVABCDEFGH",
      password: "0123456789",
      nextduedate: "2026-07-15",
      serverhostname: "panel.example.test",
    },
  ])
  expect(whmcs.lines).toMatchObject([{ serviceId: 1, username: "TVABCDEFGH", connections: 1 }])
  expect(whmcs.orders).toMatchObject([{ status: "Active" }])
})

test("AddInvoicePayment accepts a transaction id twice, AddTransaction only once", async () => {
  whmcs.quirks.paidAgain = "credits"
  await order(call)
  await call("AddInvoicePayment", payment)
  await call("AddInvoicePayment", { ...payment, amount: "12.00" })
  expect((await call("GetTransactions", { transid: "tx-1" })).totalresults).toBe(2)
  expect((await call("GetClientsDetails", { clientid: 1 })).client.credit).toBe("12.00")
  const again = { paymentmethod: "offshore", userid: 1, transid: "tx-1", amountin: "1.00" }
  expect(await call("AddTransaction", again)).toMatchObject({ message: "Transaction ID must be Unique" })
})

test("an invoice that is paid twice moves the due date twice", async () => {
  await order(call)
  await call("AddInvoicePayment", payment)
  const [first] = whmcs.services.map(({ nextDue }) => nextDue)
  await call("AddInvoicePayment", { ...payment, transid: "tx-2", amount: "12.00" })
  const [second] = whmcs.services.map(({ nextDue }) => nextDue)
  expect([first, second]).toEqual(["2026-07-15", "2026-08-15"])
})

test("a paid renewal ends a suspension for non-payment, and no other one", async () => {
  await order(call)
  whmcs.staff.markPaid(1)
  whmcs.staff.invoice(1)
  whmcs.staff.lapse(1)
  expect(whmcs.services).toMatchObject([{ status: "Suspended" }])
  whmcs.staff.markPaid(2)
  expect(whmcs.services).toMatchObject([{ status: "Active" }])
  whmcs.staff.invoice(1)
  whmcs.staff.suspend(1)
  whmcs.staff.markPaid(3)
  expect(whmcs.services).toMatchObject([{ status: "Suspended" }])
})

test("a cancelled invoice rejects payments", async () => {
  await order(call)
  await call("CancelOrder", { orderid: 1 })
  expect(await call("AddInvoicePayment", payment)).toMatchObject({
    message: "It is not possible to add a payment to an invoice that is Cancelled",
  })
})

test("invoice lines can be changed, added and removed; a change needs all three fields", async () => {
  await order(call)
  const change = { invoiceid: 1, itemdescription: { 1: "Month" }, itemamount: { 1: "10.00" } }
  expect(await call("UpdateInvoice", change)).toMatchObject({
    message: expect.stringMatching(/^Missing Variables: itemdescription, itemamount and itemtaxed/),
  })
  const added = { newitemdescription: ["Agreed"], newitemamount: ["-0.50"], newitemtaxed: [false] }
  await call("UpdateInvoice", { ...change, itemtaxed: { 1: false }, ...added })
  expect((await call("GetInvoice", { invoiceid: 1 })).total).toBe("9.50")
  await call("UpdateInvoice", { invoiceid: 1, deletelineids: [2], notes: "mine" })
  expect(await call("GetInvoice", { invoiceid: 1 })).toMatchObject({ total: "10.00", notes: "mine" })
  expect(await call("UpdateInvoice", { invoiceid: 1, status: "Lost" })).toMatchObject({
    message: "Invalid status Lost",
  })
})

test("an invoice created by hand has its own lines, and paying it provisions nothing", async () => {
  const fields = { userid: await client(call), itemdescription1: "More", itemamount1: "2.50", itemtaxed1: 0 }
  expect(await call("CreateInvoice", fields)).toEqual({ result: "success", invoiceid: "1", status: "Unpaid" })
  await call("AddInvoicePayment", payment)
  expect((await call("GetInvoices", { userid: 1, status: "Paid" })).invoices.invoice).toMatchObject([
    { id: "1", total: "2.50", currencycode: "EUR" },
  ])
  expect(await call("CreateInvoice", { ...fields, draft: true, sendinvoice: true })).toMatchObject({
    message: expect.stringMatching(/^Cannot create and send a draft invoice/),
  })
})

test("credit is added and applied, up to the available credit and the amount due", async () => {
  await order(call)
  expect(await call("AddCredit", { clientid: 1, description: "-", amount: "20.00" })).toMatchObject({
    newbalance: "20.00",
  })
  const apply = (amount: string) => call("ApplyCredit", { invoiceid: 1, amount })
  expect(await apply("21.00")).toMatchObject({ message: "Amount exceeds customer credit balance" })
  expect(await apply("13.00")).toMatchObject({ message: "Amount Exceeds Invoice Balance" })
  expect(await apply("12.00")).toMatchObject({ amount: "12.00", invoicepaid: "true" })
})

test("an invoice that staff mark paid has the effects of a payment", async () => {
  await order(call)
  whmcs.staff.markPaid(1)
  expect(whmcs.invoices).toMatchObject([{ status: "Paid" }])
  expect(whmcs.services).toMatchObject([{ status: "Active" }])
})
