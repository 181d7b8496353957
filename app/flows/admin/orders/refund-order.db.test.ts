import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import {
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { refundOrder } from "./refund-order.server"

describe.each(engines)("refunds by the operator, on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    backend = await createEmbeddedBilling(database.url, catalogueFixture)
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  /** A provisioned order with a payment of `minor`. */
  async function paid(minor: number) {
    const order = await placed(backend)
    const attempt = await opened(backend, order)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), NOON)
    await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
    return { ...order, attempt }
  }

  const refund = (id: string, minor: number, changes: { key?: string; endsService?: boolean } = {}) =>
    refundOrder(backend.operator, id, {
      key: unique(),
      amount: money(minor, "EUR"),
      reason: "asked within 14 days",
      at: NOON,
      endsService: false,
      ...changes,
    })

  test("a refund takes back account credit first, is on the timeline with its reason, and the service goes on", async () => {
    const { id, customerId, serviceId } = await paid(2_300)
    expect(await refund(id, 500)).toMatchObject({
      kind: "refunded",
      gateway: "offshore",
      serviceEnded: false,
      order: { received: money(1_800, "EUR"), credited: money(0, "EUR"), status: "active" },
    })
    expect(await backend.payments.accountCredit(customerId, "EUR")).toEqual(money(0, "EUR"))
    expect((await backend.billing.timeline(id)).at(-1)).toMatchObject({
      kind: "refunded",
      amount: money(-500, "EUR"),
      reference: "operator: asked within 14 days",
    })
    expect((await backend.billing.service(serviceId))?.status).toBe("Active")
    expect((await backend.operator.order(id))?.callbacks).toMatchObject([{ status: "paid" }])
    expect((await backend.operator.order(id))?.movements).toMatchObject([
      { amount: money(2_300, "EUR") },
      { amount: money(-500, "EUR"), gateway: "offshore" },
    ])
    expect(await backend.operator.findImbalances()).toEqual([])
  })

  test("a refund ends the service if the operator wants it, once", async () => {
    const { id, serviceId } = await paid(2_000)
    expect(await refund(id, 2_000, { endsService: true })).toMatchObject({ serviceEnded: true })
    expect((await backend.billing.service(serviceId))?.status).toBe("Terminated")
  })

  test("the same form sent twice, and two operators at once, refund the money once", async () => {
    const { id } = await paid(2_000)
    const key = unique()
    await Promise.all([refund(id, 500, { key }), refund(id, 500, { key })])
    expect((await backend.billing.order(id))?.received).toEqual(money(1_500, "EUR"))
    const outcomes = await Promise.all([refund(id, 1_500), refund(id, 1_500)])
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["refunded", "too-much"])
    expect((await backend.billing.order(id))?.received).toEqual(money(0, "EUR"))
    expect(await backend.operator.findImbalances()).toEqual([])
  })

  test("a refund that the gateway reports later, too, is recorded once", async () => {
    const { id, attempt } = await paid(2_000)
    await refund(id, 700)
    const report = { ...paymentUpdate(attempt, "refunded", 2_000), refunded: money(700, "EUR") }
    await backend.payments.recordPaymentUpdate("offshore", report, NOON)
    expect((await backend.billing.order(id))?.received).toEqual(money(1_300, "EUR"))
    await refund(id, 300)
    expect((await backend.billing.order(id))?.received).toEqual(money(1_000, "EUR"))
  })

  test("more than a payment has received, another currency and an unknown order are refused", async () => {
    const { id } = await paid(2_000)
    expect(await refund(id, 2_001)).toEqual({ kind: "too-much", received: money(2_000, "EUR") })
    const dollars = { key: unique(), amount: money(100, "USD"), reason: "x", at: NOON, endsService: false }
    expect((await refundOrder(backend.operator, id, dollars)).kind).toBe("too-much")
    expect(await refund("none", 1)).toEqual({ kind: "no-such-order" })
    expect(await refund((await placed(backend)).id, 1)).toMatchObject({ kind: "too-much" })
  })

  test("an order that was refunded as account credit stays with the customer who has that", async () => {
    const order = await placed(backend)
    await backend.billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")
    const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
    const correct = () => backend.billing.correctEmail(order.id, { ...visitor, email: `${unique()}@x.test` })
    await refund(order.id, 100)
    expect(await correct()).toBe(true)
    const { customerId } = (await backend.billing.order(order.id)) ?? { customerId: "" }
    const key = unique()
    await refundOrder(backend.operator, order.id, {
      key,
      amount: money(500, "EUR"),
      reason: "asked",
      at: NOON + 1,
      endsService: false,
      toCredit: true,
    })
    expect(await correct()).toBe(false)
    expect((await backend.billing.order(order.id))?.customerId).toBe(customerId)
    expect(await backend.payments.accountCredit(customerId, "EUR")).toEqual(money(500, "EUR"))
  })

  test("notes and tags are kept with their operator, and erased with the customer", async () => {
    const { id, customerId } = await placed(backend)
    const { operator } = backend
    const by = { operator: "marta@shop.test", at: NOON }
    expect(await operator.addOrderNote(id, { ...by, text: "Wrote on chat." })).toBe(true)
    for (const tag of ["vip", "vip", "chat"])
      expect(await operator.addOrderTag(id, { ...by, tag })).toBe(true)
    const shown = await operator.order(id)
    expect(shown).toMatchObject({ notes: [{ ...by, text: "Wrote on chat." }], tags: ["chat", "vip"] })
    expect([await operator.removeOrderTag(id, "vip"), await operator.removeOrderTag(id, "vip")]).toEqual([
      true,
      false,
    ])
    expect(await operator.addOrderNote("none", { ...by, text: "x" })).toBe(false)
    expect(await operator.addOrderTag("none", { ...by, tag: "x" })).toBe(false)
    await operator.eraseCustomer([customerId], { force: true })
    expect(await operator.order(id)).toMatchObject({ notes: [], tags: [] })
  })
})
