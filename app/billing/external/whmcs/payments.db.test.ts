import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  opened,
  paymentUpdate,
  placed,
  timelineKinds,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { callsTo } from "../../../../tests/fakes/whmcs-simulator/test-client"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { euros, settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

const PRICE = 2_000

describe.each(engines)("payments of new orders in WHMCS, with the mirror on %s", (engine) => {
  let whmcs: Whmcs
  let database: TemporaryDatabase
  let shop: MirrorUnderTest
  let now: number

  beforeEach(async () => {
    now = NOON
    whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => now, fieldNames: [] })
    database = await openTemporaryDatabase(engine)
    shop = await startProcess()
  })
  afterEach(async () => {
    await shop.close()
    await database.close()
    await whmcs.close()
  })

  const startProcess = () =>
    openMirrorUnderTest(() => openWhmcs({ ...settingsFor(whmcs), timeoutMs: 5_000 }), {
      databaseUrl: database.url,
      now: () => now,
    })

  async function provisioned(serviceId: string, process = shop): Promise<void> {
    const service = await process.billing.service(serviceId)
    if (!service) throw new Error("Service not found")
    await process
      .panel({ playlist: async () => Readable.from([]), playlistAddress: () => null })
      .create(service)
  }

  test("a payment that came in two parts under one id is recorded as one", async () => {
    const order = await placed(shop)
    const attempt = await opened(shop, order, PRICE)
    const parts = [paymentUpdate(attempt, "partially-paid", 700), paymentUpdate(attempt, "paid", PRICE)]
    for (const part of parts) {
      now += MINUTE
      await shop.payments.recordPaymentUpdate("offshore", { ...part, transactionId: "tx" }, now)
    }
    await provisioned(order.serviceId)
    expect(whmcs.transactions.map(({ transid, amountIn }) => [transid, amountIn])).toEqual([["tx", PRICE]])
    expect(whmcs.transactions[0]?.date).toBe("2026-06-15 12:02:00")
    expect(whmcs.invoices.at(-1)?.status).toBe("Paid")
  })

  test("a payment whose process died while WHMCS recorded it is recorded once, and the service set up", async () => {
    const order = await placed(shop)
    await pay(order)
    const held = whmcs.quirks.holdNext("AddInvoicePayment", { resets: true })
    await expect(provisioned(order.serviceId)).rejects.toThrow("connection")
    now += 40 * SECOND
    const restarted = await startProcess()
    // The job is due again when the call cannot be running any more.
    await expect(provisioned(order.serviceId, restarted)).rejects.toMatchObject({ retryAfterMs: 80 * SECOND })
    await held.finish()
    await provisioned(order.serviceId, restarted)
    expect([booked(), whmcs.services[0]?.status]).toEqual([[[PRICE, 1]], "Active"])
    await restarted.close()
  })

  test("a payment whose process died before WHMCS had it is recorded two minutes later", async () => {
    const order = await placed(shop)
    await pay(order)
    whmcs.quirks.holdNext("AddInvoicePayment", { resets: true })
    await expect(provisioned(order.serviceId)).rejects.toThrow("connection")
    now += 2 * MINUTE
    await provisioned(order.serviceId)
    expect([booked(), whmcs.services[0]?.status]).toEqual([[[PRICE, 1]], "Active"])
  })

  const pay = async (order: Order, minor = PRICE) => {
    const due = order.total.minor + order.credited.minor
    const attempt = await opened(shop, order, due)
    const status = minor < due ? "partially-paid" : "paid"
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, status, minor), now)
  }
  const creditThere = () => whmcs.clients[0]?.credit
  const booked = () => whmcs.transactions.map(({ amountIn, invoiceId }) => [amountIn, invoiceId])

  test("what WHMCS has paid of an invoice from the client's own credit is credit again, once", async () => {
    whmcs.quirks.usesCredit = true
    const request = await newOrderInput(shop.billing)
    Object.assign(whmcs.clients[0] ?? {}, { credit: 400 })
    const order = await shop.billing.placeOrder(request)
    expect([whmcs.invoices[0]?.credit, creditThere()]).toEqual([400, 0])
    await pay(order)
    await provisioned(order.serviceId)
    await provisioned(order.serviceId)
    expect([whmcs.invoices[0]?.status, creditThere()]).toEqual(["Paid", 400])
    expect(await shop.payments.accountCredit(order.customerId, "EUR")).toEqual(euros(0))
  })

  test("what staff have recorded on an invoice before it is paid here becomes the client's credit", async () => {
    const order = await placed(shop)
    await recordThere("5.00")
    await pay(order)
    await provisioned(order.serviceId)
    expect(booked()).toEqual([
      [500, 1],
      [1_500, 1],
      [500, 0],
    ])
    expect([whmcs.invoices[0]?.status, creditThere()]).toEqual(["Paid", 500])
  })

  test("what was paid here of an order that WHMCS then has as paid in full becomes the client's credit", async () => {
    const order = await placed(shop)
    await pay(order, 800)
    whmcs.staff.markPaid("1")
    now += 10 * MINUTE
    expect(await shop.orderSync.reconcileExternalOrders(now, 10)).toEqual([order.id])
    await provisioned(order.serviceId)
    expect(booked()).toEqual([
      [PRICE, 1],
      [800, 0],
    ])
    expect([creditThere(), await shop.payments.accountCredit(order.customerId, "EUR")]).toEqual([
      800,
      euros(0),
    ])
  })

  test("account credit of this shop that WHMCS does not need beside the client's own is credit there", async () => {
    whmcs.quirks.usesCredit = true
    const first = await placed(shop)
    await pay(first, PRICE + 500)
    const { customerId } = first
    Object.assign(whmcs.clients[0] ?? {}, { credit: 400 })
    const credit = { customerId, accountCreditScope: "account", accessScope: { reach: "account" } } as const
    const order = await placed(shop, credit)
    expect(order.credited).toEqual(euros(-500))
    await pay(order, 1_500)
    await provisioned(order.serviceId)
    await provisioned(order.serviceId)
    expect([whmcs.invoices[1]?.status, creditThere()]).toEqual(["Paid", 400])
  })

  /** Staff record a payment of another kind on the first invoice. */
  async function recordThere(amount: string): Promise<void> {
    const date = "2026-06-15 12:00:00"
    const payment = { invoiceid: "1", transid: "bank", gateway: "offshore", date, amount }
    await callsTo(whmcs).call("AddInvoicePayment", payment)
  }

  test("a payment for an order that was paid in WHMCS meanwhile becomes the customer's account credit", async () => {
    const order = await placed(shop)
    const attempt = await opened(shop, order, PRICE)
    whmcs.staff.markPaid(String(whmcs.invoices.at(-1)?.id))
    now += 10 * MINUTE
    expect(await shop.orderSync.reconcileExternalOrders(now, 10)).toEqual([order.id])
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", PRICE), now)
    expect(await shop.payments.accountCredit(order.customerId, "EUR")).toEqual(euros(PRICE))
    expect(await timelineKinds(shop, order)).toEqual(["placed", "handed-off", "paid", "overpaid"])
    await provisioned(order.serviceId)
    expect(whmcs.transactions.map(({ amountIn }) => amountIn)).toEqual([PRICE])
  })

  test("an order is set up although its invoice was merged while it was paid, and the payment is the client's credit", async () => {
    const order = await placed(shop)
    await pay(order)
    whmcs.invoices.pop()
    await provisioned(order.serviceId)
    await provisioned(order.serviceId)
    expect(booked()).toEqual([[PRICE, 0]])
    expect([creditThere(), whmcs.services[0]?.status]).toEqual([PRICE, "Active"])
  })

  test("what staff have merged into the invoice of an order stays to be paid in WHMCS", async () => {
    const order = await placed(shop)
    const added = { newitemdescription: ["Invoice 7"], newitemamount: ["15.00"], newitemtaxed: [false] }
    await callsTo(whmcs).call("UpdateInvoice", { invoiceid: "1", ...added })
    await pay(order, PRICE + 500)
    await provisioned(order.serviceId)
    await provisioned(order.serviceId)
    expect(booked()).toEqual([[PRICE, 1]])
    expect([whmcs.invoices[0]?.status, whmcs.services[0]?.status]).toEqual(["Unpaid", "Active"])
    expect(await shop.payments.accountCredit(order.customerId, "EUR")).toEqual(euros(500))
  })

  test("an unpaid order whose invoice was merged is cancelled, and set up once WHMCS has it as active", async () => {
    const order = await placed(shop)
    const statusNow = async () => (await shop.billing.order(order.id))?.status
    whmcs.invoices.pop()
    now += 10 * MINUTE
    expect(await shop.orderSync.reconcileExternalOrders(now, 10)).toEqual([order.id])
    expect([await statusNow(), whmcs.orders[0]?.status]).toEqual(["cancelled", "Pending"])
    whmcs.staff.accept("1")
    now += DAY
    expect(await shop.orderSync.reconcileExternalOrders(now, 10)).toEqual([order.id])
    await provisioned(order.serviceId)
    expect([await statusNow(), creditThere()]).toEqual(["paid", 0])
  })

  test.each([
    ["expired", "deadlinePassed"],
    ["was cancelled", "aborted"],
  ] as const)(
    "an order that %s here while WHMCS was away, and was paid there, is set up",
    async (_, event) => {
      const order = await placed(shop)
      whmcs.quirks.down = true
      now += DAY
      await shop.billing.applyOrderEvent(order.id, event, now)
      // Waits for the call that fails.
      await shop.close()
      whmcs.quirks.down = false
      whmcs.staff.markPaid("1")
      shop = await startProcess()
      // The customer has looked at the services meanwhile.
      await shop.billing.servicesOf({ id: order.customerId, reach: "account" })
      now += DAY
      expect(await shop.orderSync.reconcileExternalOrders(now, 10)).toEqual([order.id])
      expect(await shop.billing.order(order.id)).toMatchObject({ status: "paid" })
      await provisioned(order.serviceId)
      expect(whmcs.transactions.map(({ amountIn }) => amountIn)).toEqual([PRICE])
      expect(whmcs.orders[0]?.status).toBe("Active")
    },
  )
})
