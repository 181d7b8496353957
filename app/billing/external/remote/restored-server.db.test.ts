import { rmSync } from "node:fs"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { cancelledOutcome } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import type { MirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

/** A billing server that was restored from a backup knows nothing of what has happened since. */

let folder: string
let server: Awaited<ReturnType<typeof openStorefront>>
let storefront: MirrorUnderTest
const log: Record<string, unknown>[] = []
const processes: MirrorUnderTest[] = []

beforeEach(async () => {
  folder = temporaryFolder()
  server = await openStorefront(catalogueFixture)
  storefront = await openProcess()
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((it) => it.close()))
  await server.close()
  rmSync(folder, { recursive: true })
  log.splice(0)
})

async function openProcess(): Promise<MirrorUnderTest> {
  const stream = { write: (line: string) => void log.push(JSON.parse(line)) }
  const opened = await server.openStorefrontBilling({
    databaseUrl: join(folder, "boxoffice.db"),
    log: pino({}, stream),
  })
  processes.push(opened)
  return opened
}

/** Buys a plan that works at the server and here. */
async function bought() {
  const input = await newOrderInput(storefront.billing, {}, promotions.free)
  const { id, serviceId } = await storefront.billing.placeOrder(input)
  const service = await storefront.billing.service(serviceId)
  if (!service) throw new Error("Service not found")
  const made = await storefront.panel(noLists).create(service)
  await storefront.billing.activateService(service.id, made, NOON)
  return { orderId: id, customerId: input.customerId, serviceId: service.id }
}

const noLists = { playlist: async () => Promise.reject(new Error("no list")), playlistAddress: () => null }

const servicesIn = ({ billing }: MirrorUnderTest, customerId: string) =>
  billing.servicesOf({ id: customerId, reach: "account" })

test("a service that it knows no more is not active, and the operator reads so in the log", async () => {
  const { customerId, serviceId } = await bought()
  server.restore("first")
  expect(await servicesIn(storefront, customerId)).toMatchObject([{ id: serviceId, status: "Cancelled" }])
  expect(log).toContainEqual(
    expect.objectContaining({ level: 40, msg: "service moved or deleted externally", serviceId }),
  )
})

test("a service is active again once the server knows it again", async () => {
  const { customerId } = await bought()
  server.restore("first")
  await servicesIn(storefront, customerId)
  server.restore("latest")
  expect(await servicesIn(await openProcess(), customerId)).toMatchObject([{ status: "Active" }])
})

test("an unpaid order that it knows no more is cancelled with the next look at its payment", async () => {
  const order = await placed(storefront)
  const { id } = await opened(storefront, order)
  server.restore("first")
  expect(await storefront.gateway("offshore")?.fetchPayment({ paymentId: id })).toBeNull()
  expect(await orderNow(storefront, order)).toMatchObject({ status: "cancelled" })
  const { reference } = (await storefront.billing.timeline(order.id)).at(-1) ?? {}
  expect(reference).toBe("unknown to external billing")
  expect(log).toContainEqual(
    expect.objectContaining({ level: 40, msg: "order unknown to external billing", orderId: order.id }),
  )
})

test("an unpaid order that it knows no more is cancelled by the sweep, once, without an error", async () => {
  const order = await placed(storefront)
  server.restore("first")
  const sweep = (at: number) => storefront.orderSync.reconcileExternalOrders(at, 10)
  expect(await sweep(NOON + HOUR)).toEqual([order.id])
  expect(await orderNow(storefront, order)).toMatchObject({ status: "cancelled" })
  expect(await sweep(NOON + DAY)).toEqual([])
  expect(log.filter(({ msg }) => msg === "external billing: no response")).toEqual([])
})

describe("an order that is partly paid and that it knows no more", () => {
  /** The server has reported 8 of its 20 euros before it was restored. */
  async function partlyPaid() {
    const order = await placed(storefront)
    const attempt = await opened(storefront, order)
    const update = paymentUpdate(attempt, "partially-paid", 800)
    await storefront.payments.recordPaymentUpdate("offshore", { ...update, ofInvoice: true }, NOON)
    server.restore("first")
    return { order, attempt }
  }
  const needs = async () =>
    storefront.overview.needs({ now: NOON + HOUR, yesterday: "2026-06-14", ...nothingWrong })
  const warning = (id: string) =>
    expect.objectContaining({ level: 40, msg: "order unknown to external billing", orderId: id })

  async function expectOnRecord(id: string) {
    const order = await storefront.billing.order(id)
    expect([order?.status, order && cancelledOutcome(order)]).toEqual(["cancelled", "recorded"])
    expect(order?.received).toEqual(money(800, "EUR"))
    expect(log.filter((line) => warning(id).asymmetricMatch(line))).toHaveLength(1)
    expect(await needs()).toMatchObject([
      { key: `order ${id}`, kind: "unknown-order", orderId: id, amount: money(800, "EUR") },
    ])
  }

  test("is cancelled by the sweep, and needs the operator, who has what was paid on record", async () => {
    const { order } = await partlyPaid()
    expect(await storefront.orderSync.reconcileExternalOrders(NOON + HOUR, 10)).toEqual([order.id])
    await expectOnRecord(order.id)
    expect(await storefront.orderSync.reconcileExternalOrders(NOON + DAY, 10)).toEqual([])
  })

  test("is cancelled with the buyer's next look, and needs the operator", async () => {
    const { order, attempt } = await partlyPaid()
    expect(await storefront.gateway("offshore")?.fetchPayment({ paymentId: attempt.id })).toBeNull()
    await expectOnRecord(order.id)
  })

  test.each(["aborted", "deadlinePassed"] as const)(
    "needs the operator if it has %s before",
    async (event) => {
      const { order } = await partlyPaid()
      await storefront.billing.applyOrderEvent(order.id, event, NOON)
      await storefront.orderSync.reconcileExternalOrders(NOON + HOUR, 10)
      expect(await needs()).toMatchObject([{ kind: "unknown-order", orderId: order.id }])
      expect(log).toContainEqual(warning(order.id))
    },
  )

  test("needs nobody any more once its refund is recorded", async () => {
    const { order } = await partlyPaid()
    await storefront.orderSync.reconcileExternalOrders(NOON + HOUR, 10)
    const refund = { key: "r1", amount: money(800, "EUR"), reason: "lost", at: NOON + HOUR }
    await storefront.operator.recordRefund(order.id, refund)
    expect(await needs()).toEqual([])
  })
})

test("an order that the buyer cancels and that it knows no more is cancelled", async () => {
  const order = await placed(storefront)
  server.restore("first")
  await storefront.billing.applyOrderEvent(order.id, "aborted", NOON)
  await storefront.orderSync.reconcileExternalOrders(NOON + HOUR, 10)
  expect(await orderNow(storefront, order)).toMatchObject({ status: "cancelled" })
  expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([])
})

test("a service and an unpaid order of a customer whom it knows no more have ended, also after the storefront was started again", async () => {
  const { customerId } = await bought()
  const order = await placed(storefront)
  server.restore("first")
  const restarted = await openProcess()
  expect(await servicesIn(restarted, customerId)).toMatchObject([{ status: "Cancelled" }])
  expect(await restarted.orderSync.reconcileExternalOrders(NOON + HOUR, 10)).toEqual([order.id])
  expect(await orderNow(restarted, order)).toMatchObject({ status: "cancelled" })
  expect(await server.emptied.operator.customers({ limit: 5 })).toEqual([])
})

test("the operator reads in the log that a customer with services, who tries to sign in, is known here alone", async () => {
  const { orderId, customerId } = await bought()
  const { email = "" } = (await storefront.operator.order(orderId)) ?? {}
  const unknown = { level: 40, msg: "customer unknown to external billing", customerId }
  expect(await storefront.billing.customerOf(email)).toMatchObject({ id: customerId })
  expect(log).not.toContainEqual(expect.objectContaining(unknown))
  server.restore("first")
  expect(await storefront.billing.customerOf(email)).toBeNull()
  expect(log).toContainEqual(expect.objectContaining(unknown))
})
