import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { MirrorStore } from "~/billing/external/mirror/mirror-store"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { catalogueFixture, NOON, newOrderInput } from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { mirrorEngine } from "./mirror-engine.server"

const LEASE = 6 * SECOND
const placedThere = { orderId: "9", invoiceId: "8", link: null, pollAt: NOON + MINUTE }

describe.each(engines)("orders in creation at external billing, on %s", (engine) => {
  let database: TemporaryDatabase
  let close: () => Promise<void>
  let store: MirrorStore
  let order: Order
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    const backend = await createEmbeddedBilling(database.url, catalogueFixture)
    close = () => backend.close()
    store = mirrorEngine(database).store
    order = await backend.billing.placeOrder(await newOrderInput(backend.billing))
  })
  afterEach(async () => {
    await close()
    await database.close()
  })

  const claim = (at: number) =>
    store.claimExternalOrder(order.id, { at, until: at + LEASE, latestLease: at + LEASE + 2 * SECOND })
  const held = async (at = NOON) => ({ orderId: order.id, by: (await claim(at))?.held_by ?? "" })

  test("one process works on an order, until its lease has ended, and each try is counted", async () => {
    expect(await claim(NOON)).toMatchObject({ tries: 1 })
    expect(await claim(NOON + LEASE - 1)).toBeNull()
    expect(await claim(NOON + LEASE)).toMatchObject({ tries: 2 })
  })

  test("a lease that a wrong clock has set for years ahead holds nobody up", async () => {
    await claim(NOON + 1_000 * HOUR)
    expect(await claim(NOON)).toMatchObject({ tries: 2 })
  })

  test("a process whose lease has ended writes nothing over the work of the next one", async () => {
    const [late, next] = [await held(NOON), await held(NOON + LEASE)]
    expect(await store.updateClaimed(late, { claimed_until: NOON + HOUR })).toBe(false)
    const made = { ...placedThere, serviceId: order.serviceId }
    expect(await store.confirmExternalOrder(late, order, made)).toBe(false)
    expect(await store.externalOrder(order.id)).toMatchObject({ state: "wanted", claimed_until: 0 })
    expect(await store.confirmExternalOrder(next, order, made)).toBe(true)
    expect(await store.externalOrder(order.id)).toMatchObject({ state: "made", their_order_id: "9" })
    expect(await claim(NOON + HOUR)).toBeNull()
  })

  test("a payment that follows at once can be settled: the claim ends with the order's creation", async () => {
    const made = { ...placedThere, serviceId: order.serviceId }
    await store.confirmExternalOrder(await held(), order, made)
    const settling = { at: NOON, until: NOON + LEASE, latestLease: NOON + HOUR }
    const settlement = await store.beginSettlement(order.id, settling)
    expect(settlement).not.toBeNull()
    expect(await store.beginSettlement(order.id, settling)).toBeNull()
    const others = { orderId: order.id, by: "another process" }
    expect(await store.extendSettlement(others, NOON + HOUR)).toBe(false)
  })

  test("the service has the id that it has there, in its order and its job, and is found by the former one", async () => {
    const job = { topic: "provision", subject: order.serviceId, state: "waiting" } as const
    const times = { due: NOON, put_off_at: NOON, renewed_until: 0, tries: 0, reason: null }
    await database.db
      .insertInto("outbox")
      .values({ id: "j1", ...job, ...times } as never)
      .execute()
    const made = { ...placedThere, serviceId: "77" }
    await store.confirmExternalOrder(await held(), order, made)
    expect(await store.currentServiceId(order.serviceId)).toBe("77")
    const { db } = database
    expect(await db.selectFrom("orders").select("service_id").execute()).toEqual([{ service_id: "77" }])
    expect(await db.selectFrom("outbox").select("subject").execute()).toEqual([{ subject: "77" }])
  })

  test("an order that ended here is looked for there if it may have been created, and not if it was never tried", async () => {
    const by = await held()
    await database.db.updateTable("orders").set({ status: "cancelled" }).execute()
    const lost = async () => (await store.lostOrders(NOON, 9)).map(({ order_id }) => order_id)
    expect(await lost()).toEqual([order.id])
    await store.setPollAt([order.id], NOON + 1)
    expect(await lost()).toEqual([])
    await store.setPollAt([order.id], NOON)
    await store.updateClaimed(by, { tries: 0 })
    expect(await lost()).toEqual([])
  })
})
