import type { Kysely } from "kysely"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import {
  byAdminCli,
  catalogueFixture,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  promotions,
  timelineKinds,
  unique,
} from "../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../tests/contracts/billing/embedded-billing"
import { reseller } from "../../../tests/contracts/billing/reseller-fixtures"
import * as contention from "../../../tests/support/db/contention"
import { freshMigratedDatabase } from "../../../tests/support/db/migrated-postgres"
import { operatorsOf } from "./admin/operators.server"
import { openDatabase } from "./db/database.server"
import type { Tables } from "./db/schema/schema"
import type { DbContext } from "./db/transaction.server"
import { outboxOf } from "./jobs/outbox.server"
import { paymentRepository } from "./payments/payment-repository.server"
import { recordRefund } from "./payments/recorded-refund.server"

let instance: SeedableBilling
let db: Kysely<Tables>

beforeAll(async () => {
  const url = await freshMigratedDatabase(inject("postgres"))
  instance = await createEmbeddedBilling(url, catalogueFixture)
  db = openDatabase({ url, timeoutMs: 60_000 })
})

beforeEach(() => instance.restock())

afterAll(async () => {
  await db.destroy()
  await instance.close()
})

const eur = (minor: number) => money(minor, "EUR")
const record = (it: ReturnType<typeof paymentUpdate>) =>
  instance.payments.recordPaymentUpdate("offshore", it, NOON)

/** See `contention.whileOpen`. */
const whileOpen = <First, Second>(first: (tx: DbContext) => Promise<First>, second: () => Promise<Second>) =>
  contention.whileOpen({ db, newId: unique }, first, second)

/** See `contention.afterAllHaveRead`. */
const afterAllHaveRead = <Result>(table: keyof Tables, works: readonly (() => Promise<Result>)[]) =>
  contention.afterAllHaveRead(db, table, works)

const fulfilled = <Value>(value: Value) => ({ status: "fulfilled", value })
const kinds = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)

describe("concurrent claims", () => {
  const claim = (limit: number) => instance.outbox.claim(NOON, MINUTE, limit)
  const claimInside = (tx: DbContext, limit: number) => outboxOf(tx).claim(NOON, MINUTE, limit)

  beforeEach(async () => {
    await db.deleteFrom("outbox").execute()
  })

  test("a job that another instance is claiming is not claimed", async () => {
    await placed(instance, {}, promotions.free)
    const [first, second] = await whileOpen(
      (tx) => claimInside(tx, 10),
      () => claim(10),
    )
    expect(first).toHaveLength(1)
    expect(second).toEqual(fulfilled([]))
  })

  test("an unclaimed job is claimed while another instance claims the jobs before it", async () => {
    const { serviceId } = await placed(instance, {}, promotions.free)
    for (const at of [NOON - 1, NOON - 2]) await placed(instance, { at }, promotions.free)
    const [first, second] = await whileOpen(
      (tx) => claimInside(tx, 2),
      () => claim(10),
    )
    expect(first).toHaveLength(2)
    expect(second).toMatchObject(fulfilled([{ subject: serviceId }]))
  })

  test("a job is claimed if the claiming transaction of another instance fails", async () => {
    await placed(instance, {}, promotions.free)
    const failing = db.transaction().execute(async (tx) => {
      await claimInside({ db: tx, newId: unique }, 10)
      const other = claim(10)
      await contention.waitForLocks(db, 1)
      throw Object.assign(new Error("the instance fails"), { other })
    })
    const { other } = await failing.catch((error: { other: ReturnType<typeof claim> }) => error)
    expect(await other).toHaveLength(1)
  })
})

test("a lease is granted to one of two concurrent instances", async () => {
  const [first, second] = await whileOpen(
    (tx) => outboxOf(tx).lease("sweep", "a", NOON, MINUTE),
    () => instance.outbox.lease("sweep", "b", NOON, MINUTE),
  )
  expect([first, second]).toEqual([true, fulfilled(false)])
})

test("a poll is claimed by one of two concurrent instances", async () => {
  const attempt = await opened(instance, await placed(instance))
  const now = NOON + HOUR
  const [first, second] = await whileOpen(
    (tx) => paymentRepository(tx).claimPoll(attempt, now - SECOND, now),
    () => instance.payments.claimPoll(attempt, now - SECOND, now),
  )
  expect([first, second]).toEqual([true, fulfilled(false)])
})

test("a return token is redeemed first by one of two concurrent instances", async () => {
  const order = await placed(instance)
  const { id } = await opened(instance, order)
  const [first, second] = await whileOpen(
    (tx) => paymentRepository(tx).redeemReturnToken(id, NOON),
    () => instance.payments.redeemReturnToken(id, NOON),
  )
  const orderId = order.id
  expect([first, second]).toEqual([{ orderId, first: true }, fulfilled({ orderId, first: false })])
})

test("the last use of a promo code goes to one of two concurrent orders", async () => {
  const order = () => placed(instance, {}, promotions.last)
  const results = await afterAllHaveRead("promotions", [order, order])
  expect(kinds(results)).toEqual(["fulfilled", "rejected"])
  expect(await instance.billing.promotion("LAST")).toMatchObject({ remainingUses: 0 })
})

describe("concurrent payment updates", () => {
  test("two concurrent partial payments of one order both count", async () => {
    const order = await placed(instance)
    const [one, other] = [await opened(instance, order), await opened(instance, order, 1_999)]
    await record(paymentUpdate(one, "partially-paid", 100))
    await afterAllHaveRead("invoices", [
      () => record(paymentUpdate(one, "partially-paid", 600)),
      () => record(paymentUpdate(other, "partially-paid", 700)),
    ])
    expect(await orderNow(instance, order)).toMatchObject({ status: "partially-paid", received: eur(1_300) })
  })

  test("two concurrent updates of one attempt leave it with the better status", async () => {
    const order = await placed(instance)
    const attempt = await opened(instance, order)
    await afterAllHaveRead("payment_attempts", [
      () => record(paymentUpdate(attempt, "expired", 0)),
      () => record(paymentUpdate(attempt, "partially-paid", 500)),
    ])
    expect(await instance.payments.latestAttempt(order.id)).toMatchObject({ status: "partially-paid" })
  })

  test("two concurrent full payments pay the order once and become credit once", async () => {
    const order = await placed(instance)
    const attempts = [await opened(instance, order), await opened(instance, order, 1_999)]
    await afterAllHaveRead(
      "orders",
      attempts.map((attempt) => () => record(paymentUpdate(attempt, "paid", 2_000))),
    )
    expect(await orderNow(instance, order)).toMatchObject({ status: "paid", credited: eur(2_000) })
    const messages = (await timelineKinds(instance, order)).slice(-2)
    expect(messages).toEqual(["paid", "overpaid"])
  })

  test("a payment concurrent with the buyer's cancellation leaves the order paid and its service pending", async () => {
    const order = await placed(instance)
    const attempt = await opened(instance, order)
    await afterAllHaveRead("orders", [
      async () => void (await record(paymentUpdate(attempt, "paid", 2_000))),
      async () => void (await instance.billing.applyOrderEvent(order.id, "aborted", NOON)),
    ])
    expect(await orderNow(instance, order)).toMatchObject({ status: "paid", credited: eur(0) })
    expect(await instance.billing.service(order.serviceId)).toMatchObject({ status: "Pending" })
    expect(await timelineKinds(instance, order)).toEqual(["placed", "handed-off", "paid"])
  })
})

describe("a refund of the gateway while what was paid becomes account credit", () => {
  /** An order of which a part was paid, with the report that the gateway pays it back. */
  const partlyPaid = async () => {
    const order = await placed(instance)
    const attempt = await opened(instance, order)
    await record(paymentUpdate(attempt, "partially-paid", 500))
    const refund = () => record(paymentUpdate(attempt, "refunded", 500))
    return { order, refund, credit: () => instance.payments.accountCredit(order.customerId, "EUR") }
  }

  test("a payment that is paid back while the buyer cancels is no account credit", async () => {
    const { order, refund, credit } = await partlyPaid()
    const cancel = () => instance.billing.applyOrderEvent(order.id, "aborted", NOON)
    const results = await afterAllHaveRead<unknown>("invoices", [cancel, refund])
    expect(kinds(results)).toEqual(["fulfilled", "fulfilled"])
    expect(await credit()).toEqual(eur(0))
    expect(await orderNow(instance, order)).toMatchObject({ received: eur(0), credited: eur(0) })
  })

  test.each(["credited", "paid back"] as const)(
    "an unapplied payment of an expired order is %s first, and no account credit is left",
    async (first) => {
      const { order, refund, credit } = await partlyPaid()
      await instance.billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
      const sweep = () => instance.payments.creditUnappliedPayments(NOON + DAY + LATE_PAYMENT_GRACE + 1, 10)
      const works = first === "credited" ? [sweep, refund] : [refund, sweep]
      expect(kinds(await afterAllHaveRead<unknown>("invoices", works))).toEqual(["fulfilled", "fulfilled"])
      expect(await credit()).toEqual(eur(0))
      expect(await orderNow(instance, order)).toMatchObject({ received: eur(0), credited: eur(0) })
    },
  )

  test("a part that is paid while the operator marks the order as paid counts for it, or is account credit if it comes later", async () => {
    const { order, credit } = await partlyPaid()
    const other = await opened(instance, order, 1_500)
    const mark = () => instance.billing.applyOrderEvent(order.id, "paid", NOON, "operator: bank transfer")
    const part = () => record(paymentUpdate(other, "partially-paid", 300))
    await afterAllHaveRead<unknown>("invoices", [mark, part])
    const [, last] = (await timelineKinds(instance, order)).slice(-2)
    const { received, credited } = await orderNow(instance, order)
    expect([last, credited, await credit(), received]).toEqual(
      last === "overpaid" ? ["overpaid", eur(300), eur(300), eur(800)] : ["paid", eur(0), eur(0), eur(800)],
    )
  })
})

describe("an e-mail that is corrected", () => {
  const corrected = () => ({
    email: `${unique()}@example.test`,
    locale: "en-en" as const,
    currency: "EUR" as const,
    country: "MA",
    address: null,
    at: NOON,
  })

  test("while the order is overpaid stays as it is, since its customer has the account credit", async () => {
    const order = await placed(instance)
    const attempt = await opened(instance, order)
    const [, moved] = await whileOpen(
      (tx) =>
        paymentRepository(tx).recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_500), NOON),
      () => instance.billing.correctEmail(order.id, corrected()),
    )
    expect(moved).toEqual(fulfilled(false))
    expect(await orderNow(instance, order)).toMatchObject({ customerId: order.customerId })
    expect(await instance.payments.accountCredit(order.customerId, "EUR")).toEqual(eur(500))
  })

  test("while the order is refunded as account credit stays as it is", async () => {
    const order = await placed(instance)
    await instance.billing.applyOrderEvent(order.id, "paid", NOON, "operator: bank transfer")
    const refund = { key: unique(), amount: eur(2_000), toCredit: true, reason: "late", at: NOON }
    const [refunded, moved] = await whileOpen(
      (tx) => recordRefund(tx, order.id, refund),
      () => instance.billing.correctEmail(order.id, corrected()),
    )
    expect([refunded, moved]).toEqual([{ kind: "recorded", gateway: null }, fulfilled(false)])
    expect(await orderNow(instance, order)).toMatchObject({ customerId: order.customerId })
  })
})

test("of two refunds at once that one operator may make without the other, one is recorded", async () => {
  const order = await placed(instance)
  await instance.billing.applyOrderEvent(order.id, "paid", NOON, "operator: bank transfer")
  const refund = () => ({ key: unique(), amount: eur(800), refundedBefore: 0, reason: "late", at: NOON })
  const [first, second] = await whileOpen(
    (tx) => recordRefund(tx, order.id, refund()),
    () => instance.operator.recordRefund(order.id, refund()),
  )
  expect([first, second]).toEqual([{ kind: "recorded", gateway: null }, fulfilled({ kind: "changed" })])
})

test("a session of the console is not opened for an operator who is disabled at that moment", async () => {
  const [operatorId, linkHash] = [unique(), unique()]
  const invited = { id: operatorId, email: `${unique()}@shop.test`, role: "owner", linkHash } as const
  const access = { linkUntil: NOON + HOUR, totpSecret: "sealed", at: NOON }
  await instance.operators.add({ ...invited, ...access }, byAdminCli)
  const link = { id: operatorId, linkHash, password: "correct horse battery", counter: 5, codeHashes: ["a"] }
  await instance.operators.setUp(link)
  const session = { id: unique(), tokenHash: unique(), operatorId, at: NOON, address: null, browser: null }
  const [disabled, isOpened] = await whileOpen(
    (tx) => operatorsOf(tx).disable(operatorId, NOON, byAdminCli),
    () => instance.operators.addSession(session),
  )
  expect([disabled, isOpened]).toEqual(["done", fulfilled(false)])
})

describe("account credit", () => {
  /** A customer with EUR 5.00 of credit. */
  const withCredit = async () => {
    const order = await placed(instance)
    await record(paymentUpdate(await opened(instance, order), "paid", 2_500))
    return order
  }

  test("account credit pays one of two concurrent orders", async () => {
    const { customerId } = await withCredit()
    const next = () => placed(instance, { customerId, accountCreditScope: "account" })
    const results = await afterAllHaveRead("credits", [next, next])
    expect(results).toMatchObject([fulfilled({ credited: eur(-500) }), fulfilled({ credited: eur(0) })])
    expect(await instance.payments.accountCredit(customerId, "EUR")).toEqual(eur(0))
  })

  test("credit from one order pays one of two concurrent orders in that order's credit scope", async () => {
    const { id, customerId } = await withCredit()
    await record(paymentUpdate(await opened(instance, await placed(instance, { customerId })), "paid", 2_500))
    const next = () => placed(instance, { customerId, accountCreditScope: `order ${id}` as const })
    const results = await afterAllHaveRead("credits", [next, next])
    expect(results).toMatchObject([fulfilled({ credited: eur(-500) }), fulfilled({ credited: eur(0) })])
    expect(await instance.payments.accountCredit(customerId, "EUR")).toEqual(eur(500))
  })

  test("after a refund of spent credit, two concurrent orders do not spend more than the balance", async () => {
    const first = await placed(instance)
    const attempt = await opened(instance, first)
    await record(paymentUpdate(attempt, "paid", 2_500))
    const { customerId } = first
    await placed(instance, { customerId, accountCreditScope: "account" })
    await record(paymentUpdate(attempt, "refunded", 2_000))
    const sources: string[] = []
    for (let nth = 0; nth < 2; nth++) {
      const order = await placed(instance, { customerId })
      await record(paymentUpdate(await opened(instance, order), "paid", 2_500))
      sources.push(order.id)
    }
    // Of EUR 10.00 from two orders, the refund leaves EUR 5.00.
    const works = sources.map(
      (id) => () => placed(instance, { customerId, accountCreditScope: `order ${id}` as const }),
    )
    const results = await afterAllHaveRead("credits", works)
    expect(results).toMatchObject([fulfilled({ credited: eur(-500) }), fulfilled({ credited: eur(0) })])
    expect(await instance.payments.accountCredit(customerId, "EUR")).toEqual(eur(0))
  })

  test("two concurrent sweeps credit the unapplied payment of an expired order once", async () => {
    const order = await placed(instance)
    await record(paymentUpdate(await opened(instance, order), "partially-paid", 1_500))
    await instance.billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
    const sweep = () => instance.payments.creditUnappliedPayments(NOON + DAY + LATE_PAYMENT_GRACE + 1, 10)
    expect(kinds(await afterAllHaveRead("invoices", [sweep, sweep]))).toEqual(["fulfilled", "fulfilled"])
    expect(await instance.payments.accountCredit(order.customerId, "EUR")).toEqual(eur(1_500))
    expect(await orderNow(instance, order)).toMatchObject({ credited: eur(1_500) })
  })
})

describe("a reseller's last credit", () => {
  test("the last reseller credit creates one of two concurrent lines", async () => {
    const { customerId, line } = await reseller(instance)
    for (let spent = 0; spent < 24; spent++) await instance.billing.createLine(line())
    const make = () => instance.billing.createLine(line())
    expect(kinds(await afterAllHaveRead("credit_balances", [make, make]))).toEqual(["fulfilled", "rejected"])
    expect(await instance.billing.resellerCredits({ id: customerId, reach: "account" }, 1)).toMatchObject({
      balance: 0,
    })
  })
})

describe("concurrent decisions on an order on hold", () => {
  const release = { at: NOON, reference: "ana", deadline: NOON + DAY, quoteHolds: true } as const
  const refuse = { at: NOON, reference: "ben" } as const

  test("an order on hold that was released first is not refused", async () => {
    const { id } = await placed(instance, { holdReason: "blocked country XK" })
    await afterAllHaveRead("orders", [
      () => instance.billing.releaseOrder(id, release),
      () => instance.billing.refuseOrder(id, refuse),
    ])
    expect(await instance.billing.order(id)).toMatchObject({ status: "placed" })
    expect((await instance.billing.timeline(id)).map(({ kind }) => kind)).not.toContain("refused")
  })

  test("an order on hold that was refused first is not released", async () => {
    const { id } = await placed(instance, { holdReason: "blocked country XK" })
    await afterAllHaveRead("orders", [
      () => instance.billing.refuseOrder(id, refuse),
      () => instance.billing.releaseOrder(id, release),
    ])
    expect(await instance.billing.order(id)).toMatchObject({ status: "fraud" })
    expect((await instance.billing.timeline(id)).map(({ kind }) => kind)).not.toContain("released")
  })
})
