import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { type Cycle, monthsOf } from "~/domain/catalogue/billing-cycle"
import type { Product } from "~/domain/catalogue/catalogue"
import { money } from "~/domain/money/money"
import type { AccountCreditScope, Order } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  plan,
  timelineKinds,
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

const EMAIL = "changing@example.test"
const dearer: Product = {
  ...plan,
  id: "8",
  name: "Sport XL",
  pricing: { EUR: { monthly: 3_500, annually: 30_000 } },
}
const cheaper: Product = { ...plan, id: "9", name: "Sport S", pricing: { EUR: { monthly: 800 } } }
const catalogue = { ...catalogueFixture, products: [...catalogueFixture.products, dearer, cheaper] }

/** What WHMCS charges on the first day of a month that is paid in full. */
const DIFFERENCE = 1_500

describe.each(engines)("changes of plan in WHMCS with the mirror on %s", (engine) => {
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
    whmcs = await startWhmcs({ catalogue, now: () => now, fieldNames: [] })
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
    const customer = await shop.billing.customerOf(EMAIL)
    if (customer) await shop.billing.servicesOf({ ...customer, reach: "account" })
    return String(serviceids)
  }

  const upgrades = (process = shop) => {
    if (!process.planUpgrades) throw new Error("No changes of plan")
    return process.planUpgrades
  }
  const settle = (order: Order, process = shop) => {
    if (!process.invoiceRenewals) throw new Error("No invoices")
    return process.invoiceRenewals.settleInvoiceRenewal(order.id, now)
  }
  const callsOf = (action: string) => whmcs.calls.filter((it) => it.action === action)
  const ordersThere = () => callsOf("UpgradeProduct").filter(({ params }) => params.calconly !== "1")
  const serviceThere = () => whmcs.services.find((it) => String(it.id) === serviceId)
  const creditThere = () => whmcs.clients.find((it) => String(it.id) === customerId)?.credit
  const statusOf = async (order: Order) => (await shop.billing.order(order.id))?.status
  const lastInvoice = () => String(whmcs.invoices.at(-1)?.id)

  const priced = (productId = "8", cycle: Cycle = "monthly") =>
    upgrades().priceUpgrade({ customerId, serviceId, productId, cycle, gateway: "offshore" })

  type Wanted = {
    product?: Product
    cycle?: Cycle
    total?: number
    key?: string
    process?: MirrorUnderTest
    accountCreditScope?: AccountCreditScope
  }
  async function ordered({ product = dearer, cycle = "monthly", total = DIFFERENCE, ...how }: Wanted = {}) {
    const { key = unique(), process = shop, accountCreditScope = "none" } = how
    const amount = euros(total)
    const line = {
      kind: "planChange" as const,
      productId: product.id,
      name: product.name,
      months: monthsOf(cycle),
      amount,
    }
    return upgrades(process).placeUpgrade({
      key,
      customerId,
      serviceId,
      quote: { lines: [line], total: amount },
      gateway: "offshore",
      locale: "en-en",
      address: "192.0.2.7",
      number: unique,
      at: now,
      deadline: now + DAY,
      accessScope: null,
      accountCreditScope,
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

  test("a change is priced by WHMCS before anything is ordered, for more, nothing and less", async () => {
    expect(await priced()).toEqual({ price: euros(DIFFERENCE), isBlocked: false })
    expect(await priced("9")).toEqual({ price: money(-1_200, "EUR"), isBlocked: false })
    expect(await priced("8", "annually")).toEqual({ price: euros(28_000), isBlocked: false })
    expect(ordersThere()).toEqual([])
    expect(whmcs.invoices).toHaveLength(1)
  })

  test("a change paid here is recorded once, and WHMCS changes the plan", async () => {
    const order = await ordered()
    expect(order).toMatchObject({ kind: "plan-change", total: euros(DIFFERENCE), status: "placed" })
    expect(ordersThere()[0]?.params).toMatchObject({
      type: "product",
      serviceid: serviceId,
      newproductid: "8",
      newproductbillingcycle: "monthly",
      paymentmethod: "offshore",
    })
    expect(serviceThere()?.pid).toBe("7")
    await pay(order)
    expect(await shop.outbox.claim(now, MINUTE, 9)).toMatchObject([{ topic: "renewal", subject: order.id }])
    await settle(order)
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()).toMatchObject({ pid: "8", recurring: 3_500 })
    expect(await statusOf(order)).toBe("active")
    expect(await shop.billing.service(serviceId)).toMatchObject({ productId: "8", name: "Sport XL" })
    expect((await timelineKinds(shop, order)).slice(-2)).toEqual(["paid", "provisioned"])
    expect(creditThere()).toBe(0)
  })

  test("an unpaid change whose client was merged into another one in WHMCS is paid and carried out with that one", async () => {
    const order = await ordered()
    const other = await mergeClient(whmcs, customerId)
    await pay(order)
    await settle(order)
    await settle(order)
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()?.pid).toBe("8")
    expect(await statusOf(order)).toBe("active")
    expect(await shop.billing.service(serviceId)).toMatchObject({ customerId: other, productId: "8" })
  })

  test("a change that account credit pays all of needs no other payment, and is recorded in WHMCS once", async () => {
    const bought = await placed(shop, { customerId, key: unique() })
    const attempt = await opened(shop, bought, bought.total.minor)
    const surplus = paymentUpdate(attempt, "paid", bought.total.minor + DIFFERENCE)
    await shop.payments.recordPaymentUpdate("offshore", surplus, now)

    const order = await ordered({ accountCreditScope: "account" })

    expect(order).toMatchObject({ status: "paid", credited: euros(-DIFFERENCE) })
    await settle(order)
    await settle(order)
    expect(callsOf("AddInvoicePayment").map(({ params }) => params.amount)).toEqual(["15.00"])
    expect(serviceThere()?.pid).toBe("8")
    expect(await statusOf(order)).toBe("active")
  })

  test("tax that WHMCS adds to the price it has named is not asked of the buyer, who pays what the page showed", async () => {
    whmcs.quirks.tax = { rates: [19, 0], type: "Exclusive" }
    expect(await priced()).toMatchObject({ price: euros(DIFFERENCE) })
    const order = await ordered()
    expect(order.externalTax).toEqual([{ basisPoints: 1_900, amount: 240 }])
    const invoice = whmcs.invoices.at(-1)
    expect(invoice?.items.map(({ description, amount }) => [description, amount])).toEqual([
      [expect.any(String), DIFFERENCE],
      ["Agreed price", -239],
      ["Agreed price", -1],
    ])
    await pay(order)
    await settle(order)
    expect(callsOf("AddInvoicePayment")[0]?.params).toMatchObject({ amount: "15.00" })
    expect(invoice?.status).toBe("Paid")
    expect(serviceThere()?.pid).toBe("8")
    expect(creditThere()).toBe(0)
  })

  test("a change to another cycle is copied with its next due date", async () => {
    const order = await ordered({ cycle: "annually", total: 28_000 })
    await pay(order)
    await settle(order)
    expect(await shop.billing.service(serviceId)).toMatchObject({
      productId: "8",
      cycle: "annually",
      paidUntil: Date.UTC(2027, 5, 15),
    })
  })

  test("a change for less is carried out without an invoice, and the difference is WHMCS's to credit", async () => {
    const order = await ordered({ product: cheaper, total: 0 })
    expect(await statusOf(order)).toBe("paid")
    expect(await settle(order)).toEqual({ credited: euros(0) })
    expect(serviceThere()?.pid).toBe("9")
    expect(await statusOf(order)).toBe("active")
    expect(creditThere()).toBe(1_200)
    expect(callsOf("AddInvoicePayment")).toEqual([])
    expect(ordersThere()).toHaveLength(1)
  })

  test("several forms at once are one order here and one upgrade there", async () => {
    const key = unique()
    const orders = await Promise.all([ordered({ key }), ordered({ key }), ordered(), ordered()])
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(ordersThere()).toHaveLength(1)
  })

  test("while a change is unpaid, another one is refused, and WHMCS says so with its price", async () => {
    const open = await ordered()
    expect(await priced("9")).toMatchObject({ isBlocked: true })
    await expect(ordered({ product: cheaper, total: 0 })).rejects.toMatchObject({ kind: "refused" })
    expect(await upgrades().openUpgrade(serviceId, now)).toMatchObject({ id: open.id })
    expect(ordersThere()).toHaveLength(1)
  })

  test("a change that was given up is cancelled in WHMCS at once, which then takes another one", async () => {
    const order = await ordered()
    await shop.billing.applyOrderEvent(order.id, "aborted", now)
    expect(whmcs.invoices.at(-1)?.status).toBe("Cancelled")
    expect(await upgrades().openUpgrade(serviceId, now)).toBeNull()
    expect(await priced()).toMatchObject({ isBlocked: false })
  })

  test("a change paid there is carried out there, and its unpaid order is cancelled without a payment", async () => {
    const order = await ordered()
    whmcs.staff.markPaid(lastInvoice())
    expect(await shop.orderSync.completeOrder(order)).toMatchObject({ status: "cancelled" })
    now += 10 * MINUTE
    await shop.orderSync.reconcileExternalOrders(now, 10)
    expect(serviceThere()?.pid).toBe("8")
    expect(callsOf("AddInvoicePayment")).toEqual([])
    expect(creditThere()).toBe(0)
    expect(await shop.outbox.claim(now, MINUTE, 9)).toEqual([])
  })

  const elsewhere = {
    "paid there at the same time": { happens: () => whmcs.staff.markPaid(lastInvoice()), pid: "8" },
    "cancelled there": { happens: () => whmcs.staff.cancelInvoice(lastInvoice()), pid: "7" },
  }
  test.each(Object.entries(elsewhere))(
    "what was paid here for a change %s becomes credit in WHMCS, once",
    async (_, { happens, pid }) => {
      const order = await ordered()
      await pay(order)
      happens()
      expect(await settle(order)).toEqual({ credited: euros(DIFFERENCE) })
      expect(await settle(order)).toEqual({ credited: euros(DIFFERENCE) })
      expect(serviceThere()?.pid).toBe(pid)
      expect(creditThere()).toBe(DIFFERENCE)
      expect(callsOf("AddInvoicePayment")).toEqual([])
      expect((await timelineKinds(shop, order)).at(-1)).toBe("credit-added")
    },
  )

  test.each([
    ["with an invoice", { product: dearer, total: DIFFERENCE }],
    ["without one", { product: cheaper, total: 0 }],
  ])("an upgrade %s whose response was lost is found, and not ordered again", async (_, wanted) => {
    const key = unique()
    whmcs.quirks.dropResponse("UpgradeProduct")
    await ordered({ ...wanted, key }).catch(() => {})
    const restarted = await startProcess()
    const order = await ordered({ ...wanted, key, process: restarted })
    if (order.total.minor > 0) await pay(order)
    await settle(order, restarted)
    expect(ordersThere()).toHaveLength(1)
    expect(serviceThere()?.pid).toBe(wanted.product.id)
    expect(await statusOf(order)).toBe("active")
  })

  test("a payment whose response was lost is found by its id, and the plan changes once", async () => {
    const order = await ordered()
    await pay(order)
    whmcs.quirks.dropResponse("AddInvoicePayment")
    await expect(settle(order)).rejects.toMatchObject({ kind: "unavailable" })
    await settle(order, await startProcess())
    expect(callsOf("AddInvoicePayment")).toHaveLength(1)
    expect(serviceThere()).toMatchObject({ pid: "8", recurring: 3_500 })
  })

  test("a service that is not active in WHMCS, a foreign one and a refused upgrade are not priced", async () => {
    whmcs.quirks.refusesUpgrades = "Upgrades are not allowed for this product"
    await expect(priced()).rejects.toMatchObject({ kind: "refused" })
    await expect(ordered()).rejects.toMatchObject({ kind: "refused" })
    whmcs.quirks.refusesUpgrades = null
    expect(await upgrades().openUpgrade(serviceId, now)).toBeNull()
    const stranger = await client(callsTo(whmcs).call, { email: "stranger@example.test" })
    const foreign = {
      customerId: stranger,
      serviceId,
      productId: "8",
      cycle: "monthly",
      gateway: "offshore",
    } as const
    await expect(upgrades().priceUpgrade(foreign)).rejects.toMatchObject({ kind: "refused" })
    whmcs.staff.lapse(serviceId)
    await expect(priced()).rejects.toMatchObject({ kind: "refused" })
  })

  describe("a change without a price that WHMCS refuses after it has priced it", () => {
    const REASON = "Upgrades are not allowed for this product"
    const job = () => shop.outbox.claim(now, MINUTE, 9)

    async function declined(order: Order): Promise<void> {
      expect(await statusOf(order)).toBe("cancelled")
      expect(await settle(order)).toEqual({ credited: euros(0) })
      expect(await settle(order)).toEqual({ credited: euros(0) })
      expect(ordersThere()).toHaveLength(1)
      expect(serviceThere()?.pid).toBe("7")
      expect(creditThere()).toBe(0)
      const last = (await shop.billing.timeline(order.id)).at(-1)
      expect(last).toMatchObject({ kind: "cancelled", reference: expect.stringContaining(REASON) })
    }

    test("is cancelled at once, told to the buyer and the operator, and can be ordered again by the same form", async () => {
      expect(await priced("9")).toMatchObject({ isBlocked: false })
      const key = unique()
      whmcs.quirks.refusesUpgradeOrders = REASON
      await expect(ordered({ product: cheaper, total: 0, key })).rejects.toMatchObject({ kind: "refused" })
      expect(await shop.billing.orderByIdempotencyKey(key)).toBeNull()
      const [{ subject = "" } = {}] = await job()
      const order = await shop.billing.order(subject)
      if (!order) throw new Error("no order")
      await declined(order)
      // It is no lost order, which would be looked up.
      const asked = whmcs.calls.length
      now += 10 * MINUTE
      await shop.orderSync.reconcileExternalOrders(now, 10)
      expect(whmcs.calls).toHaveLength(asked)
      whmcs.quirks.refusesUpgradeOrders = null
      const again = await ordered({ product: cheaper, total: 0, key })
      expect(again.id).not.toBe(order.id)
      await settle(again)
      expect(await statusOf(again)).toBe("active")
      expect(serviceThere()?.pid).toBe("9")
      expect(creditThere()).toBe(1_200)
    })

    test("is cancelled by its job, if WHMCS did not answer while it was ordered", async () => {
      whmcs.quirks.html = "error"
      const order = await ordered({ product: cheaper, total: 0 })
      await expect(settle(order)).rejects.toMatchObject({ name: "BillingError" })
      expect(await statusOf(order)).toBe("paid")
      whmcs.quirks.html = "no"
      whmcs.quirks.refusesUpgradeOrders = REASON
      now += 10 * MINUTE
      expect(await settle(order)).toEqual({ credited: euros(0) })
      await declined(order)
    })

    test("is left to a person if money is in it", async () => {
      const order = await ordered()
      await pay(order)
      await shop.billing.applyOrderEvent(order.id, "declined", now)
      expect(await statusOf(order)).toBe("paid")
      expect(await timelineKinds(shop, order)).not.toContain("cancelled")
    })
  })

  test("while WHMCS does not answer, nothing is priced and nothing is lost", async () => {
    whmcs.quirks.html = "error"
    await expect(priced()).rejects.toMatchObject({ name: "BillingError" })
    whmcs.quirks.html = "no"
    expect(await priced()).toMatchObject({ isBlocked: false })
  })
})
