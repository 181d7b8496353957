import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  timelineKinds,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { callsTo, client } from "../../../../tests/fakes/whmcs-simulator/test-client"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { euros, mergeClient, settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

const PRICE = 2_000
const EMAIL = "renewing@example.test"
/** The service is bought at NOON, by the month. */
const FIRST_DUE = "2026-07-15"
const NEXT_DUE = "2026-08-15"

describe.each(engines)("renewal invoices of WHMCS with the mirror on %s", (engine) => {
  let whmcs: Whmcs
  let database: TemporaryDatabase
  let shop: MirrorUnderTest
  let now: number
  let customerId: string
  let serviceId: string
  let processes: MirrorUnderTest[]

  beforeEach(async () => {
    now = NOON
    processes = []
    whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => now, fieldNames: [] })
    database = await openTemporaryDatabase(engine)
    shop = await startProcess()
    customerId = await client(callsTo(whmcs).call, { email: EMAIL })
    serviceId = await sold()
  })
  afterEach(async () => {
    for (const one of processes) await one.close()
    await database.close()
    await whmcs.close()
  })

  async function startProcess({ timeoutMs = 5_000 } = {}): Promise<MirrorUnderTest> {
    const mirror = await openMirrorUnderTest(() => openWhmcs({ ...settingsFor(whmcs), timeoutMs }), {
      databaseUrl: database.url,
      now: () => now,
    })
    processes.push(mirror)
    return mirror
  }

  /** A paid service of the client, which the shop knows. */
  async function sold(): Promise<string> {
    const request = { clientid: customerId, paymentmethod: "offshore", pid: ["7"], billingcycle: ["monthly"] }
    const { invoiceid, serviceids } = await callsTo(whmcs).call("AddOrder", request)
    whmcs.staff.markPaid(invoiceid)
    await refreshed()
    return String(serviceids)
  }

  /** The customer looks at the services, in a process that has not read them lately. */
  async function refreshed(): Promise<void> {
    const { billing } = await startProcess()
    const customer = await billing.customerOf(EMAIL)
    if (customer) await billing.servicesOf({ ...customer, reach: "account" })
  }

  const renewals = (process = shop) => {
    if (!process.invoiceRenewals) throw new Error("No renewal invoices")
    return process.invoiceRenewals
  }
  const invoices = () => renewals().renewalInvoices(customerId, "current")
  const serviceThere = (id = serviceId) => whmcs.services.find((it) => String(it.id) === id)
  const serviceHere = () => shop.billing.service(serviceId)
  const callsOf = (action: string) => whmcs.calls.filter((it) => it.action === action)
  const creditThere = () => whmcs.clients.find((it) => String(it.id) === customerId)?.credit

  async function ordered(): Promise<Order> {
    const [invoice] = await invoices()
    if (!invoice) throw new Error("No unpaid invoice")
    return renewals().placeInvoiceRenewal({
      key: unique(),
      customerId,
      invoice,
      gateway: "offshore",
      locale: "en-en",
      address: "192.0.2.7",
      number: unique,
      at: now,
      deadline: now + DAY,
      accessScope: null,
      accountCreditScope: "none",
      browser: null,
    })
  }

  async function pay(order: Order): Promise<void> {
    const attempt = await opened(shop, order, order.total.minor)
    await shop.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(attempt, "paid", order.total.minor),
      now,
    )
  }

  async function paid(): Promise<Order> {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    await pay(order)
    return order
  }

  const subscribe = () =>
    shop.webhooks.addEndpoint({
      id: "whe_1",
      url: "https://crm.test/",
      description: "",
      subscriptions: ["*"],
      sealedSecret: "sealed",
      at: now,
    })
  const settle = (order: Order, process = shop) => renewals(process).settleInvoiceRenewal(order.id, now)
  const statusOf = async (order: Order) => (await shop.billing.order(order.id))?.status

  test("an unpaid renewal invoice is listed with WHMCS's due date and balance, and no other invoice", async () => {
    expect(await invoices()).toEqual([])
    const { call } = callsTo(whmcs)
    const fields = { itemdescription1: "Advice", itemamount1: "5.00" }
    await call("CreateInvoice", { userid: customerId, ...fields })
    await call("AddOrder", {
      clientid: customerId,
      paymentmethod: "offshore",
      pid: ["7"],
      billingcycle: ["monthly"],
    })
    whmcs.staff.invoice(serviceId)
    expect(await invoices()).toEqual([
      {
        invoiceId: String(whmcs.invoices.at(-1)?.id),
        due: Date.parse(`${FIRST_DUE}T00:00:00Z`),
        balance: euros(PRICE),
        items: [{ serviceId, cycles: 1, amount: euros(PRICE) }],
      },
    ])
  })

  test("a renewal paid here is recorded in WHMCS once, and WHMCS's next due date is copied", async () => {
    const order = await paid()
    expect(await shop.outbox.claim(now, MINUTE, 9)).toMatchObject([{ topic: "renewal", subject: order.id }])
    expect(await statusOf(order)).toBe("paid")
    await settle(order)
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(await statusOf(order)).toBe("active")
    const until = Date.parse(`${NEXT_DUE}T00:00:00Z`)
    expect(await shop.billing.renewalItems(order.id)).toMatchObject([{ serviceId, until }])
    expect(await serviceHere()).toMatchObject({ paidUntil: until, term: null })
    expect((await timelineKinds(shop, order)).slice(-2)).toEqual(["paid", "renewed"])
    expect(await invoices()).toEqual([])
    expect(creditThere()).toBe(0)
  })

  /** A payment in two parts, as one gateway reports it under one id and another under an id for each. */
  async function paidInParts(ids: readonly [string, string]): Promise<Order> {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    const attempt = await opened(shop, order, order.total.minor)
    const part = { ...paymentUpdate(attempt, "partially-paid", 700), transactionId: ids[0] }
    await shop.payments.recordPaymentUpdate("offshore", part, now)
    now += MINUTE
    const rest = { ...paymentUpdate(attempt, "paid", order.total.minor), transactionId: ids[1] }
    await shop.payments.recordPaymentUpdate("offshore", rest, now)
    return order
  }

  const recordedThere = () => whmcs.transactions.slice(1).map(({ transid, amountIn }) => [transid, amountIn])

  test.each([
    { gateway: "one id", ids: ["tx", "tx"], recorded: [["tx", PRICE]] },
    {
      gateway: "an id for each",
      ids: ["tx-1", "tx-2"],
      recorded: [
        ["tx-1", 700],
        ["tx-2", 1_300],
      ],
    },
  ] as const)("a renewal paid in two parts under $gateway is recorded whole, and renews", async (parts) => {
    const order = await paidInParts(parts.ids)
    expect(await settle(order)).toEqual({ credited: euros(0) })
    expect(recordedThere()).toEqual(parts.recorded)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(creditThere()).toBe(0)
    expect(await invoices()).toEqual([])
  })

  test("of a renewal paid in two parts, the one whose response was lost is not recorded again", async () => {
    const order = await paidInParts(["tx-1", "tx-2"])
    whmcs.quirks.dropResponse("AddInvoicePayment")
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    now += 3 * MINUTE
    expect(await settle(order)).toEqual({ credited: euros(0) })
    expect(recordedThere()).toEqual([
      ["tx-1", 700],
      ["tx-2", 1_300],
    ])
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
  })

  test("the rest of a payment whose first part WHMCS has already is recorded under the same id, once", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    const attempt = await opened(shop, order, order.total.minor)
    const tolerated = { ...paymentUpdate(attempt, "paid", PRICE - 10), transactionId: "tx" }
    await shop.payments.recordPaymentUpdate("offshore", tolerated, now, 100)
    whmcs.quirks.dropResponse("AddInvoicePayment")
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    const rest = { ...paymentUpdate(attempt, "paid", PRICE), transactionId: "tx" }
    await shop.payments.recordPaymentUpdate("offshore", rest, now)
    now += 3 * MINUTE
    expect(await settle(order)).toEqual({ credited: euros(0) })
    await settle(order)
    expect(recordedThere()).toEqual([
      ["tx", PRICE - 10],
      ["tx", 10],
    ])
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(creditThere()).toBe(0)
  })

  test("an invoice that is paid here is not offered again before WHMCS has the payment", async () => {
    whmcs.staff.invoice(serviceId)
    expect(await renewals().renewalInvoices(customerId, "shown")).toHaveLength(1)
    const order = await ordered()
    expect(await renewals().renewalInvoices(customerId, "shown")).toHaveLength(1)
    await pay(order)
    expect(await renewals().renewalInvoices(customerId, "shown")).toEqual([])
    expect(await invoices()).toEqual([])
  })

  test("a renewal paid there is offered here no longer, and its unpaid order is cancelled without a payment", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    whmcs.staff.markPaid(String(whmcs.invoices.at(-1)?.id))
    expect(await shop.orderSync.completeOrder(order)).toMatchObject({ status: "cancelled" })
    expect(await invoices()).toEqual([])
    expect(callsOf("AddInvoicePayment")).toEqual([])
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
  })

  test("a renewal that is found paid there when it is ordered here leaves the service with WHMCS's new date", async () => {
    whmcs.staff.invoice(serviceId)
    expect(await renewals().renewalInvoices(customerId, "shown")).toHaveLength(1)
    whmcs.staff.markPaid(String(whmcs.invoices.at(-1)?.id))
    expect(await invoices()).toEqual([])
    expect(await serviceHere()).toMatchObject({ paidUntil: Date.parse(`${NEXT_DUE}T00:00:00Z`) })
  })

  test("the sweep cancels the order of a renewal that was paid there, and never counts it as paid here", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    whmcs.staff.markPaid(String(whmcs.invoices.at(-1)?.id))
    now += 10 * MINUTE
    await shop.orderSync.reconcileExternalOrders(now, 10)
    expect(await statusOf(order)).toBe("cancelled")
    expect(await shop.outbox.claim(now, MINUTE, 9)).toEqual([])
  })

  test("an order for a renewal whose invoice was merged into another one there is not paid any more", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    whmcs.invoices.pop()
    expect(await shop.orderSync.completeOrder(order)).toMatchObject({ status: "cancelled" })
  })

  test("an unpaid renewal whose client was merged into another one there is paid on the other one's invoice", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    const other = await mergeClient(whmcs, customerId)
    expect(await shop.orderSync.completeOrder(order)).toMatchObject({ status: "placed" })
    await pay(order)
    expect(await settle(order)).toEqual({ credited: euros(0) })
    await settle(order)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(await statusOf(order)).toBe("active")
    const nextDue = Date.parse(`${NEXT_DUE}T00:00:00Z`)
    expect(await serviceHere()).toMatchObject({ customerId: other, paidUntil: nextDue })
    expect(await shop.billing.renewalItems(order.id)).toMatchObject([{ serviceId, until: nextDue }])
  })

  test("an invoice that is paid here is not offered to the client whom staff merge its own into, before WHMCS has the payment", async () => {
    const order = await paid()
    const other = await mergeClient(whmcs, customerId)
    const { email = "" } = whmcs.clients.find(({ id }) => String(id) === other) ?? {}
    const offered = async (read: "shown" | "current") => {
      const process = await startProcess()
      const customer = await process.billing.customerOf(email)
      if (!customer) throw new Error("The other client is missing")
      await process.billing.servicesOf({ ...customer, reach: "account" })
      return renewals(process).renewalInvoices(customer.id, read)
    }
    expect([await offered("shown"), await offered("current")]).toEqual([[], []])
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
  })

  const elsewhere = {
    "paid there at the same time": () => whmcs.staff.markPaid(String(whmcs.invoices.at(-1)?.id)),
    "cancelled there": () => whmcs.staff.cancelInvoice(String(whmcs.invoices.at(-1)?.id)),
    "refunded there": () => whmcs.staff.refundInvoice(String(whmcs.invoices.at(-1)?.id)),
    "merged into another one there": () => whmcs.invoices.pop(),
  }
  test.each(Object.entries(elsewhere))(
    "what was paid here for an invoice %s becomes credit in WHMCS, once, and the date moves no further",
    async (_, happens) => {
      const order = await paid()
      happens()
      const due = serviceThere()?.nextDue
      expect(await settle(order)).toEqual({ credited: euros(PRICE) })
      expect(await settle(order)).toEqual({ credited: euros(PRICE) })
      expect(serviceThere()?.nextDue).toBe(due)
      expect(creditThere()).toBe(PRICE)
      expect(callsOf("AddInvoicePayment")).toEqual([])
      expect(await statusOf(order)).toBe("active")
      expect(await shop.billing.renewalItems(order.id)).toMatchObject([{ until: null }])
      expect((await timelineKinds(shop, order)).at(-1)).toBe("credit-added")
    },
  )

  test("of an invoice that was paid in part there meanwhile, the balance is paid and the rest is credit", async () => {
    const order = await paid()
    const invoiceid = String(whmcs.invoices.at(-1)?.id)
    const part = { transid: "there", gateway: "offshore", date: "2026-06-15 12:00:00", amount: "5.00" }
    await callsTo(whmcs).call("AddInvoicePayment", { invoiceid, ...part })
    expect(await settle(order)).toEqual({ credited: euros(500) })
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(creditThere()).toBe(500)
    expect((await timelineKinds(shop, order)).slice(-2)).toEqual(["renewed", "credit-added"])
  })

  test("a service that WHMCS suspended is shown as suspended, and WHMCS restores it after the payment", async () => {
    whmcs.staff.invoice(serviceId)
    whmcs.staff.lapse(serviceId)
    await refreshed()
    expect(await serviceHere()).toMatchObject({ status: "Suspended" })
    const order = await ordered()
    await pay(order)
    await settle(order)
    expect(await serviceHere()).toMatchObject({ status: "Active" })
    expect(whmcs.lines.find((it) => String(it.serviceId) === serviceId)?.suspended).toBe(false)
  })

  test("an invoice for several services has a line for each, and its payment renews them all", async () => {
    const other = await sold()
    whmcs.staff.invoiceAll(customerId)
    await subscribe()
    const order = await ordered()
    expect(order.total).toEqual(euros(2 * PRICE))
    expect(order.lines.map(({ kind, amount }) => [kind, amount.minor])).toEqual([
      ["renewal", PRICE],
      ["renewal", PRICE],
    ])
    await pay(order)
    await settle(order)
    expect([serviceThere()?.nextDue, serviceThere(other)?.nextDue]).toEqual([NEXT_DUE, NEXT_DUE])
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    await shop.webhooks.publish(9)
    const events = (await shop.webhooks.eventsAfter(0, 9)).map(({ event }) => event)
    const paidUntil = new Date(NEXT_DUE).toISOString()
    expect(
      events.filter(({ type }) => type === "service.renewed").map(({ data }) => data.service),
    ).toMatchObject([serviceId, other].map((id) => ({ id, paidUntil })))
  })

  test("tax and other items have a line of their own, so that the lines add up to the invoice", async () => {
    whmcs.staff.invoice(serviceId)
    const invoiceid = String(whmcs.invoices.at(-1)?.id)
    const fields = { "newitemdescription[0]": "Late fee", "newitemamount[0]": "1.50", "newitemtaxed[0]": 0 }
    await callsTo(whmcs).call("UpdateInvoice", { invoiceid, ...fields })
    const { lines, total } = await ordered()
    expect(total).toEqual(euros(PRICE + 150))
    expect(lines.at(-1)).toEqual({ kind: "invoiceRest", amount: euros(150) })
  })

  test("an order for a whole invoice has the tax that it states; one that is paid in part there tells none", async () => {
    whmcs.quirks.tax = { rates: [19, 0], type: "Exclusive" }
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    const tax = Math.round(PRICE * 0.19)
    expect(order.total).toEqual(euros(PRICE + tax))
    expect(order.externalTax).toEqual([{ basisPoints: 1_900, amount: tax }])
    const invoiceid = String(whmcs.invoices.at(-1)?.id)
    const part = { transid: "there", gateway: "offshore", date: "2026-06-15 12:00:00", amount: "5.00" }
    await callsTo(whmcs).call("AddInvoicePayment", { invoiceid, ...part })
    expect((await ordered()).externalTax).toBeUndefined()
  })

  test("several clicks on the same invoice make one order", async () => {
    whmcs.staff.invoice(serviceId)
    const orders = await together(4, ordered)
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  })

  test("an order that was given up leaves the invoice unpaid in WHMCS, and payable again here", async () => {
    whmcs.staff.invoice(serviceId)
    const order = await ordered()
    await shop.billing.applyOrderEvent(order.id, "aborted", now)
    now += 10 * MINUTE
    await shop.orderSync.reconcileExternalOrders(now, 10)
    expect(whmcs.invoices.at(-1)?.status).toBe("Unpaid")
    expect(await invoices()).toHaveLength(1)
  })

  test("a payment whose response was lost is found by its id after a restart, and not recorded again", async () => {
    const order = await paid()
    whmcs.quirks.dropResponse("AddInvoicePayment")
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    const restarted = await startProcess()
    await settle(order, restarted)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(await statusOf(order)).toBe("active")
  })

  test("while a payment call may still be running, no second one is sent", async () => {
    const order = await paid()
    // The limit holds for the calls before the payment's too, which must succeed on a busy machine.
    const hasty = await startProcess({ timeoutMs: 2_000 })
    const held = whmcs.quirks.holdNext("AddInvoicePayment")
    await expect(settle(order, hasty)).rejects.toMatchObject({ kind: "unavailable" })
    now += MINUTE
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    await held.finish()
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
  })

  test("a payment call that was not carried out is sent again once it cannot be running any more", async () => {
    const order = await paid()
    whmcs.quirks.deny = { ...whmcs.quirks.deny, actions: ["AddInvoicePayment"] }
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    whmcs.quirks.deny = { ...whmcs.quirks.deny, actions: [] }
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    now += 3 * MINUTE
    await settle(order)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    expect(whmcs.transactions.filter(({ transid }) => transid.startsWith("tx-"))).toHaveLength(1)
  })

  test("two processes that report the same payment record it once", async () => {
    const order = await paid()
    const other = await startProcess()
    await Promise.allSettled([settle(order), settle(order, other), settle(order)])
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
  })

  test.each(["page", "error"] as const)(
    "while WHMCS answers with HTML (%s), pages show no invoice and a payment is retried later",
    async (html) => {
      const order = await paid()
      const process = await startProcess()
      whmcs.quirks.html = html
      expect(await renewals(process).renewalInvoices(customerId, "shown")).toEqual([])
      await expect(settle(order, process)).rejects.toMatchObject({ name: "BillingError" })
      whmcs.quirks.html = "no"
      await settle(order)
      expect(serviceThere()?.nextDue).toBe(NEXT_DUE)
    },
  )
})
