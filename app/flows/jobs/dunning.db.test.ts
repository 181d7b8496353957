import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dunningOf } from "~/billing/embedded/dunning/dunning.server"
import type { MailPolicy } from "~/billing/mail-repository"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { PaymentStatus } from "~/domain/payments/payment"
import { planChange, planChangeQuote } from "~/domain/services/plan-change"
import {
  opened,
  paymentUpdate,
  placed,
  together,
  unique,
} from "../../../tests/contracts/billing/billing-fixtures"
import { reseller } from "../../../tests/contracts/billing/reseller-fixtures"
import { type DunnedShop, MONTH_END, openDunnedShop } from "../../../tests/fixtures/dunned-shop"
import { usualMail } from "../../../tests/fixtures/mailing-database"
import { engines } from "../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { orderOf } from "../../../tests/resilience/year/year-of-a-shop"

const LIFE = [
  ["started", -30],
  ["reminder-1", -7],
  ["reminder-2", -1],
  ["notice", 0],
  ["suspended", 3],
  ["last-notice", 14],
  ["terminated", 17],
]

describe.each(engines)("dunning on %s", (engine) => {
  let shop: DunnedShop
  let pass: () => Promise<number>
  beforeEach(async () => {
    shop = await openDunnedShop(engine)
    pass = shop.startInstance()
  })
  afterEach(() => shop.close())

  const until = (days: number) => (MONTH_END + days * DAY - shop.clock.wall) / DAY
  const status = async (id: string) => (await shop.serviceRow(id)).status
  const stopped = () => shop.log.filter(({ msg }) => msg === "dunning stopped").map(({ reason }) => reason)
  const alerts = async () => {
    const mails = await shop.db.selectFrom("mails").select(["name", "detail"]).execute()
    return mails.filter(({ name }) => name === "operator-dunning-stopped").map(({ detail }) => detail)
  }

  /** An unpaid order that renews a service by a month. */
  async function renewalOf(id: string) {
    const order = await placed(shop.billing, { at: shop.clock.wall })
    await shop.db.updateTable("orders").set({ kind: "renewal" }).where("id", "=", order.id).execute()
    await shop.db
      .insertInto("renewal_items")
      .values({
        order_id: order.id,
        service_id: id,
        position: 0,
        terms: 1,
        amount: 2_000,
        currency: "EUR",
        applied_at: null,
      })
      .execute()
    return order
  }

  test("reminds, suspends and terminates a service that nobody renews, on its days and each step once", async () => {
    const id = await shop.startService()
    await shop.run(pass, 60)
    expect(await shop.history(id)).toEqual(LIFE)
    expect(await shop.mailsAbout(id)).toEqual(
      ["renewal-reminder", "renewal-reminder", "renewal-due"]
        .concat("service-suspended", "termination-notice", "service-terminated")
        .map((name) => [name, "sent"]),
    )
    expect(await shop.panelJobs(id)).toEqual(["suspend", "terminate"])
    expect(await shop.serviceRow(id)).toMatchObject({ status: "Terminated", host: null, next_step: null })
    expect(stopped()).toEqual([])
  })

  test("leaves a renewed service alone until its next end", async () => {
    const id = await shop.startService()
    await shop.run(pass, until(-5))
    await shop.extend(id, { cycles: 1, at: shop.clock.wall, event: { kind: "renewed" } })
    await shop.run(pass, until(30.5))
    expect((await shop.history(id)).slice(2)).toEqual([
      ["renewed", -5],
      ["reminder-1", 24],
      ["reminder-2", 30],
    ])
  })

  test("reminds of the end of time that a change of plan has converted, on the same days as of any other", async () => {
    const { billing } = shop.billing
    const { serviceId: id, customerId } = await shop.payPlan()
    const present = await billing.service(id)
    const at = shop.clock.wall
    const facts = await billing.planFacts(id, at)
    if (!present?.term || !facts) throw new Error("no term")
    const { term, productId, name } = present
    const [cycle, price, policy] = ["monthly", money(2_000, "EUR"), "convert"] as const
    const target = { productId: "plus", name: "Plus", cycle, price: money(2_500, "EUR") }
    const paid = { productId, term, cycle, price, at, zone: term.zone, unused: facts.unused, policy }
    const change = planChange(paid, target)
    if (change?.when !== "now") throw new Error("not now")
    const quote = planChangeQuote(change, { name })
    const order = { ...orderOf(shop, customerId), serviceId: id, quote, target }
    await billing.placePlanChange({ ...order, ...change, from: at })
    expect(await shop.serviceRow(id)).toMatchObject({ product_id: "plus", paid_until: change.until })
    await shop.run(pass, 40)
    const days = (await shop.history(id)).map(([step, day]) => [step, Math.round(day + 6)])
    expect(days.slice(2, 5)).toEqual([
      ["reminder-1", -7],
      ["reminder-2", -1],
      ["notice", 0],
    ])
  })

  describe("settings that have changed", () => {
    /** The shop after a restart with other reminders. */
    async function restart(reminders: readonly number[], mail: MailPolicy | undefined = usualMail) {
      const dunning = dunningOf({ db: shop.db, newId: unique, mail, terms: { ...termPolicy, reminders } })
      await dunning.replanReminders(shop.clock.wall)
      return shop.startInstance({ dunning })
    }
    const reminded = async (id: string) =>
      (await shop.history(id)).filter(([step]) => step !== "started").map(([, day]) => day)

    test.each([
      ["switched on for a service that was to be noticed only", [], -20, [7, 1], [-7, -1, 0]],
      ["one earlier", [7, 1], -20, [14, 7, 1], [-14, -7, -1, 0]],
      ["one in between", [7, 1], -5, [7, 3, 1], [-7, -3, -1, 0]],
      ["the first one no more, after it was sent", [14, 7, 1], -10, [7, 1], [-14, -7, -1, 0]],
      ["the last one no more, after the first", [7, 1], -5, [7], [-7, 0]],
    ])("apply to a term that runs: reminders, %s", async (_, former, day, latter, expected) => {
      const id = await shop.startService()
      pass = await restart(former)
      await shop.run(pass, until(day))
      pass = await restart(latter)
      await shop.run(pass, until(0))
      expect(await reminded(id)).toEqual(expected)
      expect((await shop.mailsAbout(id)).map(([name]) => name)).toEqual([
        ...expected.slice(1).map(() => "renewal-reminder"),
        "renewal-due",
      ])
    })

    test("apply to a term that runs: mail, switched on", async () => {
      const id = await shop.startService()
      await restart([7, 1], { ...usualMail, orders: false })
      expect(await shop.serviceRow(id)).toMatchObject({ next_step: "suspend" })
      pass = await restart([7, 1])
      await shop.run(pass, until(0))
      expect(await reminded(id)).toEqual([-7, -1, 0])
    })

    test("give no notice again and end nothing later", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(2))
      pass = await restart([5])
      await shop.run(pass, until(3))
      expect((await shop.history(id)).slice(3)).toEqual([
        ["notice", 0],
        ["suspended", 3],
      ])
    })
  })

  test("reminds a customer again who did not want to renew and has renewed after all", async () => {
    const id = await shop.startService()
    await shop.billing.billing.declineRenewal(id, "price", shop.clock.wall)
    expect(await shop.serviceRow(id)).toMatchObject({ next_step: "notice" })
    const order = await renewalOf(id)
    await shop.billing.billing.applyOrderEvent(order.id, "paid", shop.clock.wall)
    expect(await shop.serviceRow(id)).toMatchObject({ declined_at: null, next_step: "reminder-1" })
  })

  test("is not put off by a customer who chooses again and again whether the service is renewed", async () => {
    const id = await shop.startService()
    const { billing } = shop.billing
    await shop.run(pass, until(1.5))
    const choices = [
      () => billing.declineRenewal(id, "price", shop.clock.wall),
      () => billing.resumeRenewal(id, shop.clock.wall),
      () => billing.setBalanceRenewal(id, true, shop.clock.wall),
      () => billing.setBalanceRenewal(id, false, shop.clock.wall),
    ]
    for (const choose of [...choices, ...choices, ...choices, ...choices]) {
      await choose()
      await shop.run(pass, 1)
    }
    const ends = (await shop.history(id)).filter(([step]) =>
      ["notice", "suspended", "terminated"].includes(step),
    )
    expect(ends).toEqual([
      ["notice", 0],
      ["suspended", 3],
      ["terminated", 17],
    ])
  })

  test("writes in the language in which the service was last paid for, and not in that of an unpaid order", async () => {
    const id = await shop.startService()
    const { client_id } = await shop.serviceRow(id)
    const renewedIn = async (locale: "es-es" | "nl-nl") => {
      shop.wait(MINUTE)
      const order = await renewalOf(id)
      await shop.db.updateTable("orders").set({ client_id, locale }).where("id", "=", order.id).execute()
      return order
    }
    const paid = await renewedIn("es-es")
    await shop.billing.billing.applyOrderEvent(paid.id, "paid", shop.clock.wall)
    await renewedIn("nl-nl")
    await shop.run(pass, until(31))
    const mails = await shop.db
      .selectFrom("mails")
      .select("locale")
      .where("name", "in", ["renewal-reminder", "renewal-due"])
      .execute()
    expect(mails.map(({ locale }) => locale)).toEqual(["es-es", "es-es", "es-es"])
  })

  test("names a term the last one only if its plan is not renewed any more and no other plan follows", async () => {
    const id = await shop.startService()
    const { billing } = shop.billing
    const price = money(1_000, "EUR")
    const isLast = async () => (await shop.dunning.endOf(id))?.isLast
    expect(await isLast()).toBe(false)
    await shop.db.updateTable("products").set({ renewal_price: "none" }).execute()
    expect(await isLast()).toBe(true)
    const next = { productId: "3", name: "Basic", cycle: "monthly", price } as const
    await billing.chooseNextPlan(id, next, shop.clock.wall)
    expect(await isLast()).toBe(false)
    await billing.keepPlan(id, shop.clock.wall)
    expect(await isLast()).toBe(true)
  })

  test("lifts a suspension for non-payment with the payment, and no other", async () => {
    const [unpaid, fraud] = [await shop.startService(), await shop.startService()]
    await shop.run(pass, until(4))
    expect(await status(unpaid)).toBe("Suspended")
    await shop.db.updateTable("services").set({ suspension_owner: "fraud" }).where("id", "=", fraud).execute()
    const given = { days: 31, reason: "paid by transfer", at: shop.clock.wall }
    for (const id of [unpaid, fraud]) await shop.billing.operator.extendService(id, given)
    expect(await shop.serviceRow(unpaid)).toMatchObject({
      status: "Active",
      suspended_at: null,
      next_step: "reminder-1",
    })
    expect(await shop.panelJobs(unpaid)).toEqual(["suspend", "extend", "resume"])
    expect(await shop.serviceRow(fraud)).toMatchObject({ status: "Suspended", next_step: null })
  })

  test("several workers take each step of many services once", async () => {
    const ids = await together(8, shop.startService)
    shop.clock.wall = MONTH_END - 7 * DAY
    const due = await shop.dunning.due(shop.clock.wall, 100)
    expect(due).toHaveLength(8)
    const outcomes = await together(4, () =>
      Promise.all(due.map((it) => shop.dunning.take(it, shop.clock.wall))),
    )
    const kinds = outcomes.flat().map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "done")).toHaveLength(8)
    expect(kinds.filter((kind) => kind === "taken")).toHaveLength(24)
    for (const id of ids) expect(await shop.mailsAbout(id)).toEqual([["renewal-reminder", "waiting"]])
  })

  test("sends one message and not three after two days without a process", async () => {
    const id = await shop.startService()
    await shop.run(pass, until(-1.5))
    await pass()
    shop.wait(2 * DAY)
    await shop.startInstance()()
    expect(await shop.deliver()).toEqual(["renewal-due"])
    expect((await shop.history(id)).slice(2)).toEqual([["notice", 0.5]])
  })

  test("sends one message and not three after two days without a mail server", async () => {
    const id = await shop.startService()
    await shop.run(pass, until(-7.5))
    for (const days of [-7, -1, 0]) {
      shop.wait(until(days) * DAY)
      await pass()
    }
    expect(await shop.deliver()).toEqual(["renewal-due"])
    expect(await shop.mailsAbout(id)).toEqual([
      ["renewal-reminder", "skipped"],
      ["renewal-reminder", "skipped"],
      ["renewal-due", "sent"],
    ])
  })

  test("does not send a reminder of a service that was renewed while it waited", async () => {
    const id = await shop.startService()
    shop.wait(until(-7) * DAY)
    await pass()
    await shop.extend(id, { cycles: 1, at: shop.clock.wall, event: { kind: "renewed" } })
    expect(await shop.deliver()).toEqual([])
    expect(await shop.mailsAbout(id)).toEqual([["renewal-reminder", "skipped"]])
  })

  test.each([1, 2, 3])(
    "a process that dies in a suspension leaves nothing of it (new id %i)",
    async (dies) => {
      const id = await shop.startService()
      await shop.run(pass, until(2.5))
      shop.wait(until(3) * DAY)
      await shop.dunning.observe(shop.clock.wall)
      const before = [await shop.serviceRow(id), await shop.history(id), await shop.mailsAbout(id)]
      let ids = 0
      const dying = shop.startWithIds(() => {
        if (++ids === dies) throw new Error("killed")
        return `k${ids}`
      })
      await expect(dying()).rejects.toThrow("killed")
      expect([await shop.serviceRow(id), await shop.history(id), await shop.mailsAbout(id)]).toEqual(before)
      shop.wait(2 * MINUTE)
      await pass()
      expect(await status(id)).toBe("Suspended")
      expect((await shop.mailsAbout(id)).slice(3)).toEqual([["service-suspended", "waiting"]])
      expect(await shop.panelJobs(id)).toEqual(["suspend"])
    },
  )

  describe("a payment in flight", () => {
    /** A renewal of a service whose payment has a status. */
    async function paying(id: string, state: PaymentStatus) {
      const order = await renewalOf(id)
      const attempt = await opened(shop.billing, order)
      const report = (to: PaymentStatus, eventKey = `${attempt.id} ${to}`) => {
        const update = { ...paymentUpdate(attempt, to, 0), eventKey }
        return shop.billing.payments.recordPaymentUpdate("offshore", update, shop.clock.wall)
      }
      await report(state)
      return report
    }

    /** A part of the total of a renewal of a service arrives. */
    async function payPart(id: string): Promise<Order> {
      const order = await renewalOf(id)
      const part = paymentUpdate(await opened(shop.billing, order), "partially-paid", 500)
      await shop.billing.payments.recordPaymentUpdate("offshore", part, shop.clock.wall)
      return order
    }

    test("holds no reminder if it is a part of the total of a renewal that has long expired", async () => {
      const id = await shop.startService()
      const order = await payPart(id)
      shop.wait(order.deadline - shop.clock.wall)
      await shop.billing.billing.applyOrderEvent(order.id, "deadlinePassed", shop.clock.wall)
      await shop.run(pass, until(-7))
      expect((await shop.history(id)).slice(1)).toEqual([["reminder-1", -7]])
    })

    test.each([
      ["that was seen", (id: string) => paying(id, "processing")],
      ["of a part of the total", payPart],
      [
        "whose order the operator reviews",
        async (id: string) =>
          shop.billing.billing.fraudOrder((await renewalOf(id)).id, "suspicious", shop.clock.wall),
      ],
    ])("%s holds the suspension for 72 hours at most, says so once and goes on", async (_, happens) => {
      const id = await shop.startService()
      await shop.run(pass, until(2.5))
      await happens(id)
      await shop.run(pass, until(5.5))
      expect(await shop.serviceRow(id)).toMatchObject({ status: "Active", held_since: MONTH_END + 3 * DAY })
      await shop.run(pass, until(6))
      expect((await shop.history(id)).slice(4)).toEqual([
        ["held", 3],
        ["suspended", 6],
      ])
    })

    test.each(["failed", "expired", "refunded"] as const)(
      "that has %s lets the step go on at once",
      async (outcome) => {
        const id = await shop.startService()
        await shop.run(pass, until(2.5))
        const report = await paying(id, "processing")
        await shop.run(pass, until(4))
        await report(outcome)
        expect(await shop.serviceRow(id)).toMatchObject({ held_since: null, next_step_at: shop.clock.wall })
        await pass()
        expect(await status(id)).toBe("Suspended")
      },
    )

    test("that was seen again after a report of its failure holds the step again", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(2.5))
      const report = await paying(id, "processing")
      shop.wait(MINUTE)
      await report("failed")
      shop.wait(MINUTE)
      await report("processing", "seen again")
      await shop.run(pass, until(4))
      expect(await status(id)).toBe("Active")
    })

    test("of two that hold a step, the failure of one changes nothing", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(2.5))
      const report = await paying(id, "processing")
      await paying(id, "processing")
      await shop.run(pass, until(4))
      await report("failed")
      await shop.run(pass, until(4.5))
      expect(await status(id)).toBe("Active")
    })

    test("that nobody has seen holds nothing", async () => {
      const id = await shop.startService()
      await paying(id, "pending")
      await shop.run(pass, until(3.5))
      expect(await status(id)).toBe("Suspended")
    })
  })

  describe("the brake", () => {
    test("stops a pass that would suspend too many, until the operator's word", async () => {
      const ids = await together(21, shop.startService)
      await shop.run(pass, until(2.5))
      await shop.run(pass, until(3.5))
      expect(new Set(await Promise.all(ids.map(status)))).toEqual(new Set(["Active"]))
      expect(stopped()).toEqual(["too-many"])
      expect(await alerts()).toEqual(["too-many"])
      expect(await shop.billing.operator.diagnose(shop.clock.wall)).toContainEqual(
        expect.objectContaining({ check: "suspensions", ok: false }),
      )
      expect(await shop.billing.figures(shop.clock.wall, 0)).toMatchObject({
        brakeSince: MONTH_END + 3 * DAY,
      })
      expect(await shop.dunning.release("all of them are unpaid", shop.clock.wall)).toBe(true)
      expect(await shop.dunning.release("again", shop.clock.wall)).toBe(false)
      await shop.run(pass, until(4))
      expect(new Set(await Promise.all(ids.map(status)))).toEqual(new Set(["Suspended"]))
      expect(stopped()).toEqual(["too-many"])
    })

    test("lets 20 services be suspended in a shop of any size", async () => {
      const ids = await together(20, shop.startService)
      await shop.run(pass, until(3))
      expect(new Set(await Promise.all(ids.map(status)))).toEqual(new Set(["Suspended"]))
    })

    test.each([
      ["forward by a month", 30 * DAY],
      ["forward by two hours", 2 * HOUR],
      ["back to 1970", -NOON_SINCE_1970],
    ])("stops everything when the clock of a running process is moved %s", async (_, moved) => {
      const id = await shop.startService()
      await shop.run(pass, until(-8))
      await pass()
      const right = shop.clock.wall
      shop.clock.wall += moved
      shop.clock.steady += MINUTE
      expect(await pass()).toBe(0)
      expect([stopped(), await alerts()]).toEqual([["clock"], ["clock"]])
      shop.clock.wall = right + 30 * DAY
      await pass()
      expect(await shop.mailsAbout(id)).toEqual([])
      expect(await status(id)).toBe("Active")
      shop.clock.wall = right
      await shop.dunning.release("the time service runs again", right)
      const next = shop.startInstance()
      await shop.run(next, until(3))
      expect((await shop.history(id)).slice(1).map(([step]) => step)).toEqual(
        LIFE.slice(1, 5).map(([step]) => step),
      )
      expect(stopped()).toEqual(["clock"])
    })

    test("stops a process that starts with a clock behind the last pass", async () => {
      await shop.run(pass, 5)
      await pass()
      shop.clock.wall -= 2 * HOUR
      await shop.startInstance()()
      expect(stopped()).toEqual(["clock"])
    })

    test("stops a process that starts with a clock far ahead before it suspends anybody", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(-8))
      await pass()
      shop.clock.wall += 30 * DAY
      const wrong = shop.startInstance()
      await wrong()
      await shop.deliver()
      shop.wait(DAY)
      await shop.runOnce(wrong)
      expect(await status(id)).toBe("Active")
      expect(stopped()).toEqual(["outage"])
    })

    test("does not mind the clock in the sandbox", async () => {
      const id = await shop.startService()
      const sandbox = shop.startInstance({ shop: { testMode: true } })
      await sandbox()
      shop.clock.wall = MONTH_END
      await sandbox()
      await shop.deliver()
      shop.clock.wall += 3 * DAY
      await sandbox()
      expect(await status(id)).toBe("Suspended")
    })

    test.each([
      ["no gateway works", () => shop.gateway.isDegraded()],
      [
        "the panel fails for three services",
        async () => {
          for (const job of await shop.billing.outbox.claim(shop.clock.wall, MINUTE, 3))
            for (let tries = 0; tries < 2; tries++)
              await shop.billing.outbox.reschedule(job, {
                at: shop.clock.wall,
                due: job.claimedUntil,
                reason: "the panel is down",
              })
        },
      ],
    ])("stops before a service is suspended in whose grace %s for two hours", async (_, breaks) => {
      const id = (await together(3, shop.startService))[0] ?? ""
      await shop.run(pass, until(1))
      await breaks()
      for (let minutes = 0; minutes <= 120; minutes += 5) {
        await shop.runOnce(pass)
        shop.wait(5 * MINUTE)
      }
      expect(stopped()).toEqual([])
      await shop.run(pass, until(3))
      expect(await status(id)).toBe("Active")
      expect(stopped()).toEqual(["outage"])
    })

    test("stops before a service is suspended whose notice the mail server does not take", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(-0.5))
      shop.wait(until(0) * DAY)
      await pass()
      await shop.deliver("waiting")
      shop.wait(until(3) * DAY)
      await shop.dunning.observe(shop.clock.wall)
      await pass()
      expect(await status(id)).toBe("Active")
      expect(stopped()).toEqual(["outage"])
    })

    test("waits for a notice that nobody has tried to send, and for a day from then on", async () => {
      const id = await shop.startService()
      await shop.run(pass, until(-0.5))
      for (let days = 0; days < 5; days++) {
        shop.wait(DAY)
        await shop.dunning.observe(shop.clock.wall)
        await pass()
      }
      expect(await status(id)).toBe("Active")
      await shop.deliver()
      shop.wait(DAY - MINUTE)
      await shop.runOnce(pass)
      expect(await status(id)).toBe("Active")
      shop.wait(MINUTE)
      await shop.runOnce(pass)
      expect(await status(id)).toBe("Suspended")
      expect(stopped()).toEqual([])
    })
  })

  test("a reseller's line is suspended and terminated without a message", async () => {
    const { line } = await reseller(shop.billing)
    const { serviceId: id } = await shop.billing.billing.createLine(line())
    await shop.billing.billing.activateService(id, { host: "https://tv.test" }, shop.clock.wall)
    if ((await shop.serviceRow(id)).paid_until === null)
      await shop.extend(id, { cycles: 1, at: shop.clock.wall, event: { kind: "started" } })
    await shop.run(pass, 60)
    expect((await shop.history(id)).slice(1)).toEqual([
      ["suspended", 3],
      ["terminated", 17],
    ])
    expect(await shop.mailsAbout(id)).toEqual([])
  })
})

const NOON_SINCE_1970 = MONTH_END - 38 * DAY
