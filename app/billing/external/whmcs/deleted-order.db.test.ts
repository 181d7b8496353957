import pino from "pino"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import {
  catalogueFixture,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { euros, settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

describe("an order that staff have deleted in WHMCS", () => {
  let whmcs: Whmcs
  let shop: MirrorUnderTest
  const log: Record<string, unknown>[] = []

  beforeEach(async () => {
    whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
    const stream = { write: (line: string) => void log.push(JSON.parse(line)) }
    shop = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), { log: pino({}, stream) })
  })
  afterEach(async () => {
    await shop.close()
    await whmcs.close()
    log.splice(0)
  })

  const sweep = (hours: number) => shop.orderSync.reconcileExternalOrders(NOON + hours * HOUR, 10)
  const warnings = () => log.filter(({ level }) => Number(level) >= 40)
  const reference = async ({ id }: Order) => (await shop.billing.timeline(id)).at(-1)?.reference

  test("is cancelled here, and the operator reads why in the log and in its timeline", async () => {
    const order = await placed(shop)
    whmcs.staff.deleteOrder(1)
    expect(await sweep(1)).toEqual([order.id])
    expect(await orderNow(shop, order)).toMatchObject({ status: "cancelled" })
    expect(await reference(order)).toBe("unknown to external billing")
    expect(warnings()).toMatchObject([
      { msg: "order unknown to external billing", orderId: order.id, status: "cancelled" },
    ])
    expect(await sweep(5)).toEqual([])
    expect(warnings()).toHaveLength(1)
  })

  test("gives what was paid of it back as account credit", async () => {
    const order = await placed(shop)
    const attempt = await opened(shop, order)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 800), NOON)
    whmcs.staff.deleteOrder(1)
    expect(await sweep(1)).toEqual([order.id])
    expect(await shop.payments.accountCredit(order.customerId, "EUR")).toEqual(euros(800))
    expect(warnings()).toMatchObject([{ orderId: order.id, received: "8.00" }])
  })

  test("needs nothing more if its buyer has cancelled it before", async () => {
    const order = await placed(shop)
    whmcs.staff.deleteOrder(1)
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON)
    await sweep(1)
    await sweep(5)
    expect(await orderNow(shop, order)).toMatchObject({ status: "cancelled" })
    expect(warnings()).toEqual([])
  })

  test("but that another client has now is left alone, and the log says so once per look", async () => {
    const order = await placed(shop)
    Object.assign(whmcs.orders[0] ?? {}, { clientId: 99 })
    await sweep(1)
    expect(await orderNow(shop, order)).toMatchObject({ status: "placed" })
    expect(warnings()).toMatchObject([{ msg: "order not reconciled with external billing", kind: "refused" }])
  })
})
