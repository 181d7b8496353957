import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  timelineKinds,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type MirrorUnderTest, openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
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
    shop = await openMirrorUnderTest(() => openWhmcs({ ...settingsFor(whmcs), timeoutMs: 5_000 }), {
      databaseUrl: database.url,
      now: () => now,
    })
  })
  afterEach(async () => {
    await shop.close()
    await database.close()
    await whmcs.close()
  })

  async function provisioned(serviceId: string): Promise<void> {
    const service = await shop.billing.service(serviceId)
    if (!service) throw new Error("Service not found")
    await shop.panel({ playlist: async () => Readable.from([]), playlistAddress: () => null }).create(service)
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
})
