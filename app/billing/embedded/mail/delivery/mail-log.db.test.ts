import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { MailPolicy, TryResult } from "~/billing/mail-repository"
import type { Job } from "~/billing/outbox"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { REMINDER_AFTER } from "~/domain/shop/mail"
import {
  active,
  NOON,
  newOrderInput,
  opened,
  paymentUpdate,
  placed,
  promotions,
  together,
} from "../../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../../tests/fixtures/temporary-database"
import { appendTimelineEvents } from "../../orders/timeline.server"

const all: MailPolicy = { orders: true, reminders: true, operator: true, creditsLow: 5 }

describe.each(engines)("the mail log on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(all)
  })
  afterEach(() => database.close())

  const mails = () =>
    database.db.selectFrom("mails").selectAll().orderBy("created_at").orderBy("once_key").execute()
  const names = async () => (await mails()).map(({ name }) => name)
  const claim = (now = NOON, limit = 10) => backend.outbox.claim(now, MINUTE, limit, "mail")

  async function onlyJob(now = NOON): Promise<Job> {
    const [job, ...others] = await claim(now)
    if (!job || others.length > 0) throw new Error("Expected one job")
    return job
  }

  const paidPart = async (minor: number) => {
    const order = await placed(backend)
    const attempt = await opened(backend, order)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), NOON)
    return { order, attempt }
  }

  describe("the message of a request to sign in", () => {
    const request = {
      id: "r1",
      email: " Nobody@example.test",
      locale: "nl-nl",
      sessionId: "s1",
      at: NOON,
    } as const

    test("is enqueued with it, for an unknown e-mail too, with a job in a queue of its own", async () => {
      await backend.signInRequests.create(request)
      expect(await mails()).toMatchObject([
        {
          once_key: "sign-in r1",
          name: "sign-in",
          request_id: "r1",
          client_id: null,
          email: "Nobody@example.test",
          locale: "nl-nl",
          state: "waiting",
        },
      ])
      expect(await claim()).toEqual([])
      expect(await backend.outbox.claim(NOON, MINUTE, 10, "sign-in-mail")).toHaveLength(1)
    })

    test("is not enqueued without the request", async () => {
      await backend.signInRequests.create(request)
      await expect(backend.signInRequests.create({ ...request, email: "ben@example.test" })).rejects.toThrow()
      expect(await mails()).toHaveLength(1)
    })

    test("is not enqueued by a shop that sends no mail", async () => {
      await database.billingWith(undefined).signInRequests.create(request)
      expect(await mails()).toEqual([])
    })
  })

  describe("messages of an order", () => {
    beforeEach(() => {
      backend = database.billingWith(usualMail)
    })

    test("a provisioned order has one receipt, in the order's language, with a job in the queue of mail alone", async () => {
      const order = await active(backend)
      await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      expect(await mails()).toMatchObject([
        {
          once_key: `receipt ${order.id}`,
          name: "receipt",
          order_id: order.id,
          client_id: order.customerId,
          locale: "de-de",
          email: null,
          state: "waiting",
        },
      ])
      const [mail] = await mails()
      expect(await onlyJob()).toMatchObject({ topic: "mail", subject: mail?.id })
      expect((await backend.outbox.claim(NOON, MINUTE, 10)).map(({ topic }) => topic)).toEqual(["provision"])
    })

    test("a line that is recreated causes no second receipt, not even if the log has lost the first", async () => {
      const order = await active(backend)
      await database.db.deleteFrom("mails").execute()
      const fresh = { username: "TVABCDEFGH", password: "0123456789" }
      const former = await backend.billing.service(order.serviceId)
      expect(former && (await backend.billing.recreateService(former, fresh, NOON))).toBe(true)
      await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      expect(await names()).toEqual([])
    })

    test("a reseller's order has a message of its own instead of the receipt", async () => {
      await active(backend, { kind: "reseller" })
      expect(await names()).toEqual(["new-reseller"])
    })

    test("a delayed service has one message that the payment arrived, before its receipt", async () => {
      const order = await placed(backend, {}, promotions.free)
      await together(3, () => backend.billing.recordProvisioningDelay(order.id, NOON))
      await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON + 1)
      expect(await names()).toEqual(["payment-received", "receipt"])
    })

    test("each partial payment has a message with its amount", async () => {
      const { attempt } = await paidPart(500)
      await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 700), NOON + 1)
      expect(await mails()).toMatchObject([
        { name: "partly-paid", amount: 500, currency: "EUR" },
        { name: "partly-paid", amount: 200 },
      ])
    })

    test("an order that expires has a message only if money was received", async () => {
      const { order } = await paidPart(500)
      const without = await placed(backend)
      for (const { id } of [order, without])
        await backend.billing.applyOrderEvent(id, "deadlinePassed", NOON + DAY)
      expect(await names()).toEqual(["partly-paid", "order-expired"])
    })

    test("a surplus and the money of a cancelled order are account credit, with the reason", async () => {
      await paidPart(2_500)
      const { order } = await paidPart(500)
      await backend.billing.applyOrderEvent(order.id, "aborted", NOON)
      const credited = (await mails()).filter(({ name }) => name === "account-credit")
      expect(credited.map(({ amount, detail }) => [amount, detail]).toSorted()).toEqual([
        [500, "overpaid"],
        [500, "part-credited"],
      ])
    })

    test("a refund has messages to the buyer and to the operator, with a positive amount", async () => {
      const { attempt } = await paidPart(2_000)
      await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "refunded", 0), NOON + 1)
      expect((await mails()).map(({ name, amount }) => [name, amount])).toEqual([
        ["operator-refund", 2_000],
        ["refund", 2_000],
      ])
    })

    test("the list names the recipient of each message, and none for one to the operator", async () => {
      const { order, attempt } = await paidPart(2_000)
      await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "refunded", 0), NOON)
      const listed = await backend.operator.mails({ orderId: order.id, limit: 10 })
      const email = (await backend.operator.order(order.id))?.email
      for (const { id, name, email: recipient } of listed) {
        expect([name, recipient]).toEqual([name, name === "operator-refund" ? null : email])
        expect((await backend.operator.mail(id))?.email).toBe(recipient)
      }
      expect(listed.map(({ name }) => name)).toContain("operator-refund")
    })

    test("an order on hold has a message to the operator", async () => {
      const order = await placed(backend)
      await backend.billing.fraudOrder(order.id, "blocked", NOON)
      expect(await names()).toEqual(["operator-order-on-hold"])
    })

    test("an order of kind line causes no message to anybody", async () => {
      const order = await active(backend)
      await database.db.deleteFrom("mails").execute()
      await database.db.updateTable("orders").set({ kind: "line" }).where("id", "=", order.id).execute()
      const refunded = { kind: "refunded" as const, at: NOON, amount: order.total }
      await appendTimelineEvents({ ...database, mail: all }, order.id, [refunded])
      expect(await names()).toEqual([])
    })

    test.each([
      ["a mail server", undefined, []],
      [
        "messages about orders",
        { orders: false, reminders: true, operator: true, creditsLow: 5 },
        ["operator-refund"],
      ],
      [
        "an address of the operator",
        { orders: true, reminders: false, operator: false, creditsLow: 5 },
        ["refund"],
      ],
    ])("a shop without %s enqueues none", async (_, policy, expected) => {
      backend = database.billingWith(policy)
      const { attempt } = await paidPart(2_000)
      await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "refunded", 0), NOON + 1)
      expect(await names()).toEqual(expected)
    })

    test("a transaction that fails after the event leaves neither event nor message", async () => {
      const order = await placed(backend)
      const broken = database.db.transaction().execute(async (db) => {
        await appendTimelineEvents({ ...database, db, mail: all }, order.id, [
          { kind: "refunded", at: NOON, amount: order.total },
        ])
        throw new Error("a crash")
      })
      await expect(broken).rejects.toThrow("a crash")
      expect(await names()).toEqual([])
      expect(await claim()).toEqual([])
    })
  })

  describe("a try", () => {
    beforeEach(() => {
      backend = database.billingWith(usualMail)
    })
    const states = async () => (await mails()).map(({ state, tries }) => [state, tries])
    const ended = (state: TryResult["state"], reason: string | null = null) =>
      ({ at: NOON + 1, reason, noMailbox: true, due: NOON + HOUR, state }) as TryResult

    test("two workers of two instances begin one message once", async () => {
      await active(backend)
      const other = database.billingWith(usualMail)
      const claims = await Promise.all(
        [backend, other, backend, other].map(({ outbox }) => outbox.claim(NOON, MINUTE, 10, "mail")),
      )
      expect(claims.flat()).toHaveLength(1)
    })

    test("a message is marked before it is handed over, and its job is done with the answer", async () => {
      const order = await active(backend)
      const job = await onlyJob()
      expect(await backend.mails.begin(job, NOON)).toMatchObject({
        name: "receipt",
        orderId: order.id,
        email: expect.stringContaining("@example.test"),
        locale: "de-de",
        tries: 1,
      })
      expect(await states()).toEqual([["sending", 1]])
      await backend.mails.settle(job, ended("sent"))
      expect(await mails()).toMatchObject([{ state: "sent", settled_at: NOON + 1 }])
      expect(await claim(NOON + DAY)).toEqual([])
    })

    test("a mailbox that does not exist is the one that was tried, also if the customer has another by then", async () => {
      const order = await active(backend)
      const job = await onlyJob()
      await backend.mails.begin(job, NOON)
      const change = { customerId: order.customerId, to: "new@example.test", at: NOON }
      await backend.operator.changeEmail(change)
      await backend.mails.settle(job, ended("rejected", "550 5.1.1"))
      expect(await backend.mails.suppressionsOf(order.email)).toMatchObject([{ scope: "all" }])
      expect(await backend.mails.suppressionsOf("new@example.test")).toEqual([])
    })

    test("after a crash before the mark the message is sent for the first time", async () => {
      await active(backend)
      await claim()
      const job = await onlyJob(NOON + MINUTE)
      expect(await backend.mails.begin(job, NOON + MINUTE)).toMatchObject({ tries: 1 })
    })

    test("after a crash between the mark and the answer a receipt is sent again, under the same id", async () => {
      await active(backend)
      const first = await backend.mails.begin(await onlyJob(), NOON)
      const again = await backend.mails.begin(await onlyJob(NOON + MINUTE), NOON + MINUTE)
      expect(again).toMatchObject({ id: first?.id, tries: 2 })
    })

    test("after a crash between the mark and the answer a reminder is unknown and not sent again", async () => {
      backend = database.billingWith(all)
      await placed(backend)
      const due = NOON + REMINDER_AFTER
      expect(await backend.mails.begin(await onlyJob(due), due)).toMatchObject({ name: "order-unpaid" })
      expect(await backend.mails.begin(await onlyJob(due + MINUTE), due + MINUTE)).toBeNull()
      expect(await states()).toEqual([["unknown", 1]])
      expect(await claim(due + DAY)).toEqual([])
    })

    test("after a crash between the answer and the acknowledgement of the job nothing is sent again", async () => {
      await active(backend)
      const job = await onlyJob()
      await backend.mails.begin(job, NOON)
      await backend.mails.settle(job, ended("sent"))
      await database.db.updateTable("outbox").set({ state: "waiting" }).where("topic", "=", "mail").execute()
      expect(await backend.mails.begin(await onlyJob(NOON + HOUR), NOON + HOUR)).toBeNull()
      expect(await states()).toEqual([["sent", 1]])
    })

    test("a message that is tried later is due then, and parked for the operator in the end", async () => {
      await active(backend)
      const job = await onlyJob()
      await backend.mails.begin(job, NOON)
      await backend.mails.settle(job, ended("waiting", "greylisted"))
      expect(await mails()).toMatchObject([{ state: "waiting", reason: "greylisted", settled_at: null }])
      expect(await claim(NOON + HOUR - 1)).toEqual([])
      const later = await onlyJob(NOON + HOUR)
      expect(later.tries).toBe(1)
      await backend.mails.begin(later, NOON + HOUR)
      // A notice runs from its first try on.
      expect(await mails()).toMatchObject([{ tries: 2, tried_at: NOON }])
      await backend.mails.settle(later, ended("parked", "refused for policy"))
      expect(await mails()).toMatchObject([{ state: "parked" }])
      expect(await backend.operator.jobs()).toMatchObject([{ topic: "mail", state: "parked", tries: 2 }])
    })

    test("a parked message that the operator retries is sent", async () => {
      const order = await active(backend)
      const job = await onlyJob()
      await backend.mails.begin(job, NOON)
      await backend.mails.settle(job, ended("parked", "refused for policy"))
      const listed = await backend.operator.jobs(order.id)
      expect(listed).toContainEqual(expect.objectContaining({ id: job.id, orderId: order.id }))
      await backend.operator.retryJobs([job.id], NOON)
      expect(await backend.mails.begin(await onlyJob(), NOON)).toMatchObject({ orderId: order.id })
    })

    test("a mailbox that does not exist gets nothing any more, and another address of the customer does", async () => {
      const first = await active(backend)
      const job = await onlyJob()
      await backend.mails.begin(job, NOON)
      await backend.mails.settle(job, ended("rejected", "5.1.1"))
      const refund = { kind: "refunded" as const, at: NOON, amount: first.total }
      await appendTimelineEvents({ ...database, mail: usualMail }, first.id, [refund])
      const jobs = await claim(NOON + 1)
      const begun = await Promise.all(jobs.map((it) => backend.mails.begin(it, NOON + 1)))
      expect(begun.filter(Boolean)).toMatchObject([{ name: "operator-refund", email: null }])
      const suppressed = (await mails()).find(({ name }) => name === "refund")
      expect(suppressed).toMatchObject({ state: "suppressed", reason: "5.1.1", tries: 0 })
      await database.db.updateTable("clients").set({ email: "new@example.test" }).execute()
      await appendTimelineEvents({ ...database, mail: usualMail }, first.id, [refund])
      const [again] = await Promise.all(
        (await claim(NOON + 2)).map((it) => backend.mails.begin(it, NOON + 2)),
      ).then((all) => all.filter((it) => it?.name === "refund"))
      expect(again).toMatchObject({ email: "new@example.test" })
    })

    test("an erased customer gets nothing", async () => {
      await active(backend)
      await database.db.updateTable("clients").set({ email: "erased" }).execute()
      expect(await backend.mails.begin(await onlyJob(), NOON)).toBeNull()
      expect(await mails()).toMatchObject([{ state: "skipped", reason: "the customer was erased" }])
    })

    test("a sign-in message has a queue of its own, before ten thousand others", async () => {
      await active(backend)
      const mail = {
        name: "sign-in",
        onceKey: "sign-in r1",
        requestId: "r1",
        email: "ana@example.test",
      } as const
      await together(3, () => backend.mails.enqueue({ ...mail, at: NOON }))
      expect(await backend.outbox.claim(NOON, MINUTE, 10, "sign-in-mail")).toHaveLength(1)
      expect(await claim()).toHaveLength(1)
    })
  })

  describe("a reminder", () => {
    const DUE = NOON + REMINDER_AFTER
    const begin = async (now = DUE) =>
      Promise.all((await claim(now)).map((job) => backend.mails.begin(job, now))).then((all) =>
        all.filter((it) => it !== null),
      )
    const reasons = async () =>
      (await mails()).filter(({ state }) => state === "skipped").map(({ reason }) => reason)

    test("an unpaid order has one reminder, some hours later", async () => {
      const order = await placed(backend)
      expect(await claim(DUE - 1)).toEqual([])
      expect(await begin()).toMatchObject([{ name: "order-unpaid", orderId: order.id }])
      expect(await begin(DUE + 2 * DAY)).toEqual([])
    })

    test("an order that its buyer has withdrawn from has none", async () => {
      const order = await placed(backend)
      await backend.billing.recordWithdrawal(order.id, NOON)
      expect((await begin()).filter(({ name }) => name === "order-unpaid")).toEqual([])
      expect(await reasons()).toEqual(["the buyer has withdrawn from the order"])
    })

    test("a shop that has not switched reminders on enqueues none, and sends none enqueued before", async () => {
      await placed(backend)
      backend = database.billingWith(usualMail)
      await placed(backend)
      expect(await mails()).toHaveLength(1)
      expect(await begin()).toEqual([])
      expect(await reasons()).toEqual(["no longer sent by the shop"])
    })

    const ends: [string, (order: Order) => Promise<unknown>, RegExp][] = [
      ["was paid", ({ id }) => backend.billing.applyOrderEvent(id, "paid", NOON + 1), /order is paid/],
      [
        "was paid in part",
        ({ id }) => backend.billing.applyOrderEvent(id, "partlyPaid", NOON + 1),
        /partially/,
      ],
      ["was cancelled", ({ id }) => backend.billing.applyOrderEvent(id, "aborted", NOON + 1), /cancelled/],
      ["is on hold", ({ id }) => backend.billing.fraudOrder(id, "blocked", NOON + 1), /order is fraud/],
      [
        "was replaced by another that is paid",
        async ({ customerId }) => active(backend, { customerId, at: NOON + 1 }),
        /ordered since/,
      ],
      [
        "was replaced by another that is open",
        async ({ customerId }) => placed(backend, { customerId, at: NOON + 1 }),
        /ordered since/,
      ],
      [
        "was bought in the same browser under another address",
        async () => active(backend, { browser: "a browser", at: NOON + 1 }),
        /ordered since/,
      ],
      [
        "has a customer who unsubscribed",
        async ({ customerId }) => {
          const client = await database.db
            .selectFrom("clients")
            .select("email")
            .where("id", "=", customerId)
            .executeTakeFirstOrThrow()
          await backend.mails.suppress({
            email: client.email,
            scope: "reminder",
            reason: "unsubscribed",
            at: NOON,
          })
        },
        /unsubscribed/,
      ],
    ]
    test.each(ends)("no reminder is sent for an order that %s", async (_, end, reason) => {
      const order = await placed(backend, { browser: "a browser" })
      await end(order)
      const sent = await begin()
      expect(sent.filter(({ name, orderId }) => name === "order-unpaid" && orderId === order.id)).toEqual([])
      const log = (await mails()).find((it) => it.name === "order-unpaid" && it.order_id === order.id)
      expect(log).toMatchObject({ tries: 0, reason: expect.stringMatching(reason) })
    })

    test("of ten workers with reminders of one address, one sends", async () => {
      const request = await newOrderInput(backend.billing)
      // Both orders were placed at the same time, so that neither is the later one.
      for (const key of ["a", "b", "c"]) await backend.billing.placeOrder({ ...request, key })
      const jobs = await claim(DUE)
      expect(jobs).toHaveLength(3)
      const sent = await Promise.all(jobs.map((job) => backend.mails.begin(job, DUE)))
      expect(sent.filter((it) => it !== null)).toHaveLength(1)
      expect(await reasons()).toEqual(Array(2).fill(expect.stringMatching(/has had a reminder/)))
    })

    test("an order has one although its buyer has bought before, and has cancelled another since", async () => {
      const bought = await active(backend, { at: NOON - DAY })
      const order = await placed(backend, { customerId: bought.customerId })
      const other = await placed(backend, { customerId: bought.customerId, at: NOON + 1 })
      await backend.billing.applyOrderEvent(other.id, "aborted", NOON + 2)
      const sent = (await begin()).filter(({ name }) => name === "order-unpaid")
      expect(sent).toMatchObject([{ orderId: order.id }])
    })

    test("a reminder of which nobody knows whether it has arrived counts as one, and one that was not sent does not", async () => {
      const counted = async (state: "unknown" | "skipped", at: number) => {
        const order = await placed(backend, { at, deadline: at + DAY })
        const [job] = await claim(at + REMINDER_AFTER)
        if (!job) throw new Error("no job")
        await backend.mails.begin(job, at + REMINDER_AFTER)
        await backend.mails.settle(job, { state, at: at + REMINDER_AFTER, reason: "lost" })
        await backend.billing.applyOrderEvent(order.id, "aborted", at + REMINDER_AFTER)
        const next = at + DAY
        await placed(backend, { customerId: order.customerId, at: next, deadline: next + DAY })
        return (await begin(next + REMINDER_AFTER)).length
      }
      expect(await counted("unknown", NOON)).toBe(0)
      expect(await counted("skipped", NOON + 9 * DAY)).toBe(1)
    })

    test("an address has one reminder in thirty days", async () => {
      const order = await placed(backend)
      const [job] = await claim(DUE)
      if (!job) throw new Error("no job")
      await backend.mails.begin(job, DUE)
      await backend.mails.settle(job, { state: "sent", at: DUE, reason: null })
      await backend.billing.applyOrderEvent(order.id, "aborted", DUE)
      const again = async (at: number) => {
        const { customerId } = order
        const { id } = await placed(backend, { customerId, at, deadline: at + DAY })
        const sent = await begin(at + REMINDER_AFTER)
        await backend.billing.applyOrderEvent(id, "aborted", at + REMINDER_AFTER)
        return sent.length
      }
      expect(await again(NOON + 29 * DAY)).toBe(0)
      expect(await again(NOON + 31 * DAY)).toBe(1)
    })
  })
})
