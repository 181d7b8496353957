import pino from "pino"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mirrorEngine } from "~/billing/embedded/mirror-store/mirror-engine.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { ExternalOrderIds, ExternalOrderStatus } from "~/billing/external/external-orders"
import { NOON, newOrderInput, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { walksOf } from "../../../../tests/performance/query-plans/query-plans"
import { recorder } from "../../../../tests/performance/query-plans/query-recorder"
import { grow } from "../../../../tests/performance/query-plans/seed-large-database"
import type { MirrorContext } from "./context.server"
import { ensureExternalOrder } from "./ensure-external-order.server"
import { externalReconciliation } from "./reconcile-orders.server"

describe.each(engines)("mirror with 10,000 orders on %s", (engine) => {
  let backend: TemporaryDatabase
  beforeAll(async () => {
    backend = await openTemporaryDatabase(engine)
    await grow(backend.db, { orders: 10_000, now: NOON })
  }, 60_000)
  afterAll(() => backend.close())

  test("the reconciliation sweep visits paid orders only once", async () => {
    const bought = () =>
      backend.db.selectFrom("external_orders").select("order_id").where("poll_after", "<=", NOON).execute()
    expect((await bought()).length).toBeGreaterThan(1_000)
    expect(await externalReconciliation(mirrorOver(backend, backend.db))(NOON, 100)).toEqual([])
    expect(await bought()).toEqual([])
  })

  test("creating and reconciling an external order uses indexes only", async () => {
    const { db, queries } = recorder(backend.db)
    const mirror = mirrorOver(backend, db)
    const { billing } = mirror.local
    const order = await billing.placeOrder(await newOrderInput(billing))
    const { serviceId } = await ensureExternalOrder(mirror, order.id)
    expect((await billing.order(order.id))?.serviceId).toBe(serviceId)
    expect(await mirror.store.currentServiceId(order.serviceId)).toBe(serviceId)
    await externalReconciliation(mirror)(NOON, 100)
    expect(await mirror.store.servicesInRecreation(order.customerId)).toEqual([])
    const walks = await Promise.all(queries.map(({ query }) => walksOf(backend.db, query)))
    expect(walks.flat()).toEqual([])
  })
})

function mirrorOver({ newId }: TemporaryDatabase, db: TemporaryDatabase["db"]): MirrorContext {
  return {
    ...mirrorEngine({ db, newId }),
    externalBilling,
    hosts: { plan: null, reseller: null },
    now: () => NOON,
    log: pino({ level: "silent" }),
    runInBackground: () => {},
  }
}

const remote = async (): Promise<ExternalOrderIds> => ({
  orderId: unique(),
  invoiceId: unique(),
  serviceId: unique(),
  link: null,
})
const externalBilling = {
  placeOrder: remote,
  orderStatus: async (): Promise<ExternalOrderStatus> => ({ state: "open", received: null }),
} as unknown as ExternalBilling
