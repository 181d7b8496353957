import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { eventData, MAX_EVENT_BYTES } from "~/domain/webhooks/event-schemas"
import {
  active,
  catalogueFixture,
  catalogueForImport,
  NOON,
  opened,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  asFile,
  engines,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import { statementsOf } from "../../../../tests/support/db/statement-counter"
import { restore } from "../backup/restore.server"
import { importCatalogue } from "../catalogue/catalogue.server"
import { inTransaction } from "../db/transaction.server"
import { suspend, terminate } from "../services/service-state.server"

describe.each(engines)("events for the operator's systems on %s", (engine) => {
  let database: TemporaryDatabase
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    await importCatalogue(database, catalogueForImport(catalogueFixture))
  })
  afterEach(() => database.close())

  function open({ always = true } = {}) {
    const ctx = { ...database, terms: termPolicy, webhooks: { always, creditsLow: 5 } }
    return { ctx, ...createEmbeddedBilling(ctx), ledger: async () => ({ received: [], credit: [] }) }
  }

  async function published(shop: ReturnType<typeof open>) {
    await shop.webhooks.publish(1_000)
    return (await shop.webhooks.eventsAfter(0, 1_000)).map(({ event }) => event)
  }

  test("a purchase leads to order.placed, payment.partial, order.paid, payment.received and service.provisioned", async () => {
    const shop = open()
    const order = await placed(shop)
    const attempt = await opened(shop, order, order.total.minor)
    await shop.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(attempt, "partially-paid", 400),
      NOON + 1,
    )
    const rest = paymentUpdate(attempt, "paid", order.total.minor)
    await shop.payments.recordPaymentUpdate("offshore", rest, NOON + 2)
    await shop.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON + 3)
    const events = await published(shop)
    expect(events.map(({ type }) => type)).toEqual([
      "order.placed",
      "payment.partial",
      "order.paid",
      "payment.received",
      "service.provisioned",
    ])
    expect(events[1]?.data).toMatchObject({ payment: { amount: "4.00", currency: "EUR" } })
    expect(events[2]?.data).toMatchObject({ order: { id: order.id, status: "paid" } })
    expect(events[4]?.data).toMatchObject({ service: { id: order.serviceId, status: "Active" } })
  })

  test("money that comes for a paid order is a payment.received of its own, without another order.paid", async () => {
    const shop = open()
    const order = await placed(shop)
    const [first, second] = [await opened(shop, order), await opened(shop, order, 1)]
    const report = (attempt: typeof first, minor: number, at: number) =>
      shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), at, 100)
    const { minor } = order.total
    await report(first, minor - 10, NOON + 1)
    // The rest that the tolerance has forgiven, more than that, and another payment.
    await report(first, minor - 4, NOON + 2)
    await report(first, minor + 5, NOON + 3)
    await report(second, minor, NOON + 4)
    const events = (await published(shop)).slice(1)
    expect(events).toMatchObject([
      { type: "order.paid" },
      ...["19.90", "0.06", "0.09", "20.00"].map((amount) => ({
        type: "payment.received",
        data: { payment: { amount } },
      })),
    ])
    expect(events.at(-1)?.data).toMatchObject({ order: { credited: { amount: "20.05" } } })
  })

  test("a payment that completes an order and exceeds it is one payment.received", async () => {
    const shop = open()
    const order = await placed(shop)
    const attempt = await opened(shop, order)
    const update = paymentUpdate(attempt, "paid", order.total.minor + 300)
    await shop.payments.recordPaymentUpdate("offshore", update, NOON + 1)
    const events = await published(shop)
    expect(events.map(({ type }) => type)).toEqual(["order.placed", "order.paid", "payment.received"])
    expect(events[2]?.data).toMatchObject({ payment: { amount: "23.00" } })
  })

  test("a refund without a payment is a payment.refunded, or credit.granted with its order", async () => {
    const shop = open()
    const order = await placed(shop)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")
    const before = (await published(shop)).length
    const refund = { amount: money(500, "EUR"), reason: "asked", at: NOON + 1 }
    await shop.operator.recordRefund(order.id, { ...refund, key: "r1" })
    await shop.operator.recordRefund(order.id, { ...refund, key: "r2", toCredit: true })
    const events = (await published(shop)).slice(before)
    expect(events.toSorted((one, other) => (one.type < other.type ? -1 : 1))).toMatchObject([
      { type: "credit.granted", data: { granted: { amount: "5.00" }, orderId: order.id } },
      { type: "payment.refunded", data: { order: { id: order.id }, payment: { amount: "5.00" } } },
    ])
    for (const { type, data } of events) expect(() => eventData[type].strict().parse(data)).not.toThrow()
  })

  test("every event matches the schema of its type, and none contains login details", async () => {
    const shop = open()
    const order = await active(shop)
    await inTransaction(shop.ctx, async (tx) => {
      await suspend(tx, order.serviceId, { owner: "operator", reason: "abuse", at: NOON })
      await terminate(tx, order.serviceId, { owner: "operator", reason: null, at: NOON })
    })
    const grant = { key: "g1", amount: money(500, "EUR"), reason: "sorry", at: NOON }
    await shop.operator.grantAccountCredit(order.customerId, grant)
    await shop.operator.changeEmail({ customerId: order.customerId, to: "new@example.test", at: NOON })
    await shop.mails.suppress({ email: "new@example.test", scope: "all", reason: "550 5.1.1", at: NOON })
    await shop.webhooks.recordGateway("offshore", true, NOON)
    await shop.webhooks.recordGateway("offshore", false, NOON + HOUR)
    const events = await published(shop)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "credit.granted",
      "customer.email_changed",
      "gateway.down",
      "gateway.up",
      "mail.suppressed",
      "order.paid",
      "order.placed",
      "service.provisioned",
      "service.suspended",
      "service.terminated",
    ])
    const stored = await shop.billing.service(order.serviceId)
    for (const { type, data } of events) {
      expect(() => eventData[type].strict().parse(data)).not.toThrow()
      expect(JSON.stringify(data)).not.toContain(stored?.password)
      expect(JSON.stringify(data)).not.toContain(stored?.username)
    }
  })

  test("a shop without endpoint and API writes none, and needs no statement for it", async () => {
    const shop = open({ always: false })
    const statements = statementsOf(database.db)
    await active(shop)
    expect(statements.filter((it) => /insert into "webhook_events"/.test(it))).toEqual([])
    expect(await published(shop)).toEqual([])
  })

  test("a shop with a paused endpoint writes them, and each transaction needs two more statements at most", async () => {
    const shop = open({ always: false })
    const statements = statementsOf(database.db)
    await placed(shop)
    const without = statements.length
    await insertEndpoint()
    statements.length = 0
    await placed(shop)
    expect(statements.length).toBe(without + 2)
    expect(await published(shop)).toMatchObject([{ type: "order.placed" }])
  })

  async function insertEndpoint() {
    await database.db
      .insertInto("webhook_endpoints")
      .values({
        id: "whe_1",
        url: "https://crm.test/",
        description: "",
        subscriptions: "*",
        secret: "sealed",
        former_secret: null,
        former_until: null,
        state: "paused",
        pause_reason: "operator",
        paused_at: NOON,
        position: 0,
        hold_until: null,
        failing_since: null,
        succeeded_at: null,
        created_at: NOON,
      })
      .execute()
  }

  test("an event is gone with the transaction that has caused it", async () => {
    const shop = open()
    const order = await placed(shop)
    const rolledBack = inTransaction(shop.ctx, async (tx) => {
      await createEmbeddedBilling(tx).billing.applyOrderEvent(order.id, "aborted", NOON)
      throw new Error("crash")
    })
    await expect(rolledBack).rejects.toThrow("crash")
    expect(await published(shop)).toMatchObject([{ type: "order.placed" }])
  })

  test("the sequence of an object rises, also after its events were deleted", async () => {
    const shop = open()
    const order = await placed(shop)
    await shop.billing.applyOrderEvent(order.id, "flagged", NOON)
    const sequences = (await published(shop)).map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(new Set(sequences).size).toBe(2)
    const later = NOON + 91 * DAY
    expect(await shop.webhooks.deleteOld(later)).toBe(2)
    const terms = { at: later, deadline: later + DAY, reference: "operator" }
    await shop.billing.releaseOrder(order.id, { ...terms, quoteHolds: true })
    const [released] = await published(shop)
    expect(released).toMatchObject({ type: "order.released" })
    expect(released?.sequence).toBeGreaterThan(sequences[1] ?? 0)
  })

  test("a poller that goes on after the last event misses none and gets none twice", async () => {
    const shop = open()
    await Promise.all([1, 2, 3, 4].map(() => placed(shop)))
    const seen: string[] = []
    let after = 0
    const reading = async () => {
      const found = await shop.webhooks.eventsAfter(after, 2)
      seen.push(...found.map(({ event }) => event.id))
      after = found.at(-1)?.position ?? after
      return found.length
    }
    await Promise.all([shop.webhooks.publish(3), shop.webhooks.publish(3)])
    await reading()
    await Promise.all([placed(shop), shop.webhooks.publish(100)])
    await shop.webhooks.publish(100)
    while ((await reading()) > 0);
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })

  test("a poller that has seen more than a restored backup knows gets every event after the restore", async () => {
    const shop = open()
    await shop.webhooks.recordGateway("btcpay", true, NOON)
    await shop.webhooks.publish(100)
    const backup = await linesOf(database)
    for (const minutes of [1, 2, 3])
      await shop.webhooks.recordGateway("btcpay", minutes % 2 === 0, NOON + minutes * MINUTE)
    await shop.webhooks.publish(100)
    const after = (await shop.webhooks.eventsAfter(0, 100)).at(-1)?.position ?? 0
    await restore(database, asFile(backup), { replace: true })
    await shop.webhooks.recordGateway("offshore", true, NOON + HOUR)
    await shop.webhooks.publish(100)
    expect((await shop.webhooks.eventsAfter(after, 100)).map(({ event }) => event)).toMatchObject([
      { type: "gateway.down", data: { gateway: { id: "offshore" } } },
    ])
  })

  test("a restore begins another stream, and a restart does not", async () => {
    const shop = open()
    const { id } = await shop.webhooks.eventStream()
    expect(await open().webhooks.eventStream()).toEqual({ id, last: 0 })
    await shop.webhooks.recordGateway("btcpay", true, NOON)
    await shop.webhooks.publish(100)
    const backup = await linesOf(database)
    expect(backup.join()).not.toContain(id)
    const streams = new Set([id])
    for (const _ of ["one restore", "another of the same backup"]) {
      await restore(database, asFile(backup), { replace: true })
      const stream = await shop.webhooks.eventStream()
      expect(stream.last).toBe(NOON + 1)
      streams.add(stream.id)
    }
    expect(streams.size).toBe(3)
  })

  test("a position is never below the one before, also when the clock was set back", async () => {
    const shop = open()
    await shop.webhooks.recordGateway("btcpay", true, NOON)
    await shop.webhooks.publish(100)
    await shop.webhooks.recordGateway("offshore", true, NOON - HOUR)
    await shop.webhooks.publish(100)
    const [first, second] = await shop.webhooks.eventsAfter(0, 100)
    expect(second?.event.data).toMatchObject({ gateway: { id: "offshore" } })
    expect(second?.position).toBe((first?.position ?? 0) + 1)
  })

  test("a gateway that stays down has one event", async () => {
    const shop = open()
    for (const hours of [0, 1, 2]) await shop.webhooks.recordGateway("btcpay", true, NOON + hours * HOUR)
    await shop.webhooks.recordGateway("offshore", false, NOON)
    expect(await published(shop)).toMatchObject([
      { type: "gateway.down", data: { gateway: { id: "btcpay" } } },
    ])
  })

  test("an erased customer has no events any more", async () => {
    const shop = open()
    const order = await placed(shop)
    await shop.billing.applyOrderEvent(order.id, "aborted", NOON)
    await shop.operator.eraseCustomer([order.customerId], { force: true })
    expect(await published(shop)).toEqual([])
  })

  test("the longest texts leave an event below its limit", async () => {
    const shop = open()
    const order = await active(shop)
    await database.db
      .updateTable("services")
      .set({ name: "ü".repeat(100_000) })
      .execute()
    await inTransaction(shop.ctx, (tx) =>
      suspend(tx, order.serviceId, { owner: "operator", reason: "r".repeat(50_000), at: NOON }),
    )
    const last = (await published(shop)).find(({ type }) => type === "service.suspended")
    expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(MAX_EVENT_BYTES)
  })
})
