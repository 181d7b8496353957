import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import {
  active,
  NOON,
  placed,
  promotions,
  together,
} from "../../../../../tests/contracts/billing/billing-fixtures"
import { reseller } from "../../../../../tests/contracts/billing/reseller-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../../tests/fixtures/temporary-database"

describe.each(engines)("on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(usualMail)
  })
  afterEach(() => database.close())

  const log = () => database.db.selectFrom("mails").selectAll().orderBy("created_at").execute()
  const names = async () => (await log()).map(({ name }) => name)

  test("an order that is paid and not provisioned for five minutes is alerted once", async () => {
    const order = await placed(backend, {}, promotions.free)
    await active(backend)
    await database.db.deleteFrom("mails").execute()
    await backend.mails.alertUnprovisioned(NOON - 1, NOON)
    expect(await names()).toEqual([])
    await together(3, () => backend.mails.alertUnprovisioned(NOON, NOON + 5 * MINUTE))
    await backend.mails.alertUnprovisioned(NOON + DAY, NOON + DAY)
    expect(await log()).toMatchObject([
      { name: "operator-not-provisioned", order_id: order.id, client_id: null },
    ])
  })

  test("a reseller's line that is not provisioned is no alert", async () => {
    const { line } = await reseller(backend)
    await backend.billing.createLine(line())
    await database.db.deleteFrom("mails").execute()
    await backend.mails.alertUnprovisioned(NOON + DAY, NOON + DAY)
    expect(await names()).toEqual([])
  })

  test("a gateway whose last response is older than the alert that it is down is not said to be up", async () => {
    await backend.mails.alertGateway("offshore", true, NOON)
    await backend.mails.alertGateway("offshore", false, NOON - 1)
    expect(await names()).toEqual(["operator-gateway-down"])
  })

  test("a gateway that goes down and up is alerted once each time, by whichever instance", async () => {
    const report = (isDown: boolean, at: number) => () => backend.mails.alertGateway("offshore", isDown, at)
    await report(false, NOON)()
    for (const [index, isDown] of [true, true, false, false, true].entries())
      await together(2, report(isDown, NOON + index * MINUTE))
    await backend.mails.alertGateway("coinbase", false, NOON)
    expect(await names()).toEqual(["operator-gateway-down", "operator-gateway-up", "operator-gateway-down"])
  })

  test("parked jobs are alerted at most once an hour, and parked messages to the operator never", async () => {
    const park = async (queue: "services" | "mail", at: number) => {
      for (const job of await backend.outbox.claim(at, MINUTE, 9, queue))
        await backend.outbox.reschedule(job, { at, due: null, reason: "given up" })
    }
    await backend.mails.alertParkedJobs(NOON)
    expect(await names()).toEqual([])
    await placed(backend, {}, promotions.free)
    await park("services", NOON)
    await together(2, () => backend.mails.alertParkedJobs(NOON))
    expect(await log()).toMatchObject([{ name: "operator-jobs-parked", detail: "1 provision" }])
    await park("mail", NOON + 1)
    await placed(backend, {}, promotions.free)
    await park("services", NOON + 2)
    await backend.mails.alertParkedJobs(NOON + 30 * MINUTE)
    expect(await names()).toHaveLength(1)
    await backend.mails.alertParkedJobs(NOON + HOUR + 1)
    expect(await log()).toMatchObject([{}, { detail: "2 provision" }])
    await park("mail", NOON + HOUR + 2)
    await backend.mails.alertParkedJobs(NOON + 3 * HOUR)
    expect(await names()).toHaveLength(2)
  })

  test("a parked job is alerted however many were parked before", async () => {
    const long = NOON - 30 * 24 * HOUR
    const old = {
      topic: "mail" as const,
      state: "parked" as const,
      due: long,
      renewed_until: 0,
      tries: 9,
      reason: "outage",
    }
    const outage = Array.from({ length: 250 }, (_, nth) => {
      const id = `old ${String(nth).padStart(3, "0")}`
      return { ...old, id, subject: id, put_off_at: long + nth }
    })
    await database.db.insertInto("outbox").values(outage).execute()
    await backend.mails.alertParkedJobs(NOON)
    await placed(backend, {}, promotions.free)
    for (const job of await backend.outbox.claim(NOON, MINUTE, 9, "services"))
      await backend.outbox.reschedule(job, { at: NOON, due: null, reason: "given up" })
    await backend.mails.alertParkedJobs(NOON + 2 * HOUR)
    expect(await names()).toHaveLength(2)
  })

  test.each([5, 3])("a reseller is told once that the credits come down to %i", async (creditsLow) => {
    backend = database.billingWith({ orders: true, reminders: false, operator: true, creditsLow })
    const { line, customerId } = await reseller(backend)
    await database.db
      .updateTable("credit_balances")
      .set({ balance: 7 })
      .where("account", "=", `held ${customerId}`)
      .execute()
    await database.db.deleteFrom("mails").execute()
    for (let left = 6; left >= 2; left--) {
      await backend.billing.createLine(line())
      expect(await log()).toHaveLength(left > creditsLow ? 0 : 1)
    }
    expect(await log()).toMatchObject([{ name: "credits-low", client_id: customerId }])
  })

  test("a customer is told of a new password, and not of a refused one", async () => {
    const { customerId } = await active(backend)
    await database.db.deleteFrom("mails").execute()
    const set = (id: string) =>
      backend.billing.setPassword({ id, reach: "account" }, "a long password", () => NOON)
    await set(customerId)
    await expect(set("nobody")).rejects.toThrow("Cannot set password")
    expect(await log()).toMatchObject([{ name: "password-changed", client_id: customerId }])
  })

  test("an unproven address gets one message about the passwords that are chosen at a sign-up under it", async () => {
    const visitor = { country: "ES", address: null, at: NOON } as const
    const signUp = { email: "stranger@example.test", password: "a long password", existing: false } as const
    const account = { ...signUp, ...visitor, locale: "en-en", currency: "EUR" } as const
    const stranger = await backend.billing.resellerAuth(account)
    if (!stranger) throw new Error("Account not created")
    const { id, passwordId } = stranger
    for (let nth = 0; nth < 3; nth++)
      await backend.billing.setPassword({ id, reach: "sign-up", passwordId }, "another one", () => NOON + nth)
    const toSignUp = await log()
    expect(toSignUp).toMatchObject([{ name: "password-changed", client_id: id }])
    for (let nth = 0; nth < 2; nth++)
      await backend.billing.setPassword({ id, reach: "account" }, "proven since", () => NOON + 9 + nth)
    expect(await log()).toHaveLength(3)
  })

  test("an erased customer leaves no address in log, suppressions and requests", async () => {
    const { customerId } = await placed(backend)
    const email = "Ana@Example.Test"
    await database.db.updateTable("clients").set({ email, email_key: email.toLowerCase() }).execute()
    const sent = { at: NOON, email, clientId: customerId }
    await backend.mails.enqueue({ name: "sign-in", onceKey: "sign-in r1", requestId: "r1", at: NOON, email })
    await backend.mails.enqueue({ name: "address-changed", onceKey: "changed", detail: email, ...sent })
    await backend.mails.suppress({ email, scope: "all", reason: "5.1.1", at: NOON })
    const exported = await backend.operator.exportCustomer([customerId])
    expect(exported?.mails).toHaveLength(2)
    expect(exported?.mail_suppressions).toHaveLength(1)
    await backend.operator.eraseCustomer([customerId], { force: true })
    const tables = ["mails", "mail_suppressions", "sign_in_requests"] as const
    const rows = await Promise.all(tables.map((it) => database.db.selectFrom(it).selectAll().execute()))
    expect(JSON.stringify(rows).toLowerCase()).not.toContain("ana@")
    const jobs = await backend.outbox.claim(NOON, MINUTE, 9, "mail")
    expect(await Promise.all(jobs.map((job) => backend.mails.begin(job, NOON)))).toEqual([null])
  })

  test("old messages are deleted with their jobs: sign-ins after a month, others after a year, waiting ones never", async () => {
    const sent = async (onceKey: string, name: "sign-in" | "address-code" | "password-changed") => {
      await backend.mails.enqueue({ name, onceKey, email: "ana@example.test", at: NOON })
      const queue = name === "password-changed" ? "mail" : "sign-in-mail"
      for (const job of await backend.outbox.claim(NOON, MINUTE, 9, queue)) {
        await backend.mails.begin(job, NOON)
        await backend.mails.settle(job, { state: "sent", reason: null, at: NOON })
      }
    }
    await sent("one", "sign-in")
    await sent("two", "password-changed")
    await sent("three", "address-code")
    await backend.mails.enqueue({ name: "sign-in", onceKey: "waits", email: "ana@example.test", at: NOON })
    expect(await backend.mails.deleteOld(NOON + 30 * DAY)).toBe(0)
    expect(await backend.mails.deleteOld(NOON + 31 * DAY)).toBe(2)
    expect(await backend.mails.deleteOld(NOON + 400 * DAY)).toBe(0)
    expect(await backend.mails.deleteOld(NOON + 401 * DAY)).toBe(1)
    expect((await log()).map(({ once_key }) => once_key)).toEqual(["waits"])
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toHaveLength(1)
  })

  test("the operator lists, resends and stops suppressing", async () => {
    const order = await active(backend)
    const [job] = await backend.outbox.claim(NOON, MINUTE, 1, "mail")
    if (!job) throw new Error("no job")
    await backend.mails.begin(job, NOON)
    await backend.mails.settle(job, { state: "rejected", noMailbox: true, reason: "5.1.1", at: NOON })
    const { operator } = backend
    const [listed] = await operator.mails({ limit: 9, orderId: order.id })
    expect(listed).toMatchObject({ name: "receipt", reason: "5.1.1", email: expect.stringContaining("@") })
    expect(await operator.mailPage({ limit: 9, state: "sent" })).toEqual([])
    expect(await operator.mail(job.subject)).toEqual(listed)
    const [suppressed] = await operator.suppressions()
    expect(suppressed).toMatchObject({ email: listed?.email, scope: "all", reason: "5.1.1" })
    expect(await operator.endSuppressions(listed?.email ?? "")).toBe(1)
    expect(await operator.resendMail("none", NOON)).toBe(false)
    expect(await operator.resendMail(job.subject, NOON + 1)).toBe(true)
    const [again] = await backend.outbox.claim(NOON + 1, MINUTE, 1, "mail")
    expect(again && (await backend.mails.begin(again, NOON + 1))).toMatchObject({ id: job.subject, tries: 2 })
  })

  test("stats name the oldest unsent message that is due, and the last accepted one", async () => {
    expect(await backend.mails.stats(NOON, NOON - DAY)).toEqual({
      counts: [],
      oldestUnsent: null,
      lastAccepted: null,
      silentSince: null,
    })
    await active(backend)
    await active(backend)
    const [job] = await backend.outbox.claim(NOON, MINUTE, 1, "mail")
    if (!job) throw new Error("no job")
    await backend.mails.begin(job, NOON)
    await backend.mails.settle(job, { state: "sent", reason: null, at: NOON + 7 })
    const stats = await backend.mails.stats(NOON + HOUR, NOON - DAY)
    expect(stats).toMatchObject({ oldestUnsent: NOON, lastAccepted: NOON + 7 })
    expect(stats.counts).toEqual(
      expect.arrayContaining([
        { name: "receipt", state: "sent", count: 1 },
        { name: "receipt", state: "waiting", count: 1 },
      ]),
    )
  })

  describe("mail as a whole does not go out", () => {
    let at = NOON
    beforeEach(() => {
      at = NOON
    })
    /** Sends a message a minute after the one before; `isAccepted`: what the mail server says. */
    const tried = async (address: string, isAccepted: boolean, serverFailed = false) => {
      at += MINUTE
      const email = `${address}@example.test`
      await backend.mails.enqueue({ name: "password-changed", onceKey: `${address} ${at}`, email, at })
      for (const job of await backend.outbox.claim(at, MINUTE, 9, "mail")) {
        await backend.mails.begin(job, at)
        await backend.mails.settle(
          job,
          isAccepted
            ? { state: "sent", reason: null, at }
            : { state: "waiting", due: at + 30 * DAY, serverFailed, reason: "451 4.7.1 later", at },
        )
      }
      return at
    }
    const silentSince = async (after: number) =>
      (await backend.mails.stats(at + after, at + after - DAY)).silentSince

    test("not while one recipient's server defers, however long, and others get theirs", async () => {
      await tried("ana", true)
      await tried("ben", false)
      await tried("ben", false)
      expect(await silentSince(5 * HOUR)).toBeNull()
      await tried("cleo", true)
      expect(await silentSince(5 * HOUR)).toBeNull()
    })

    test("since a second recipient waits, too", async () => {
      await tried("ana", true)
      await tried("ben", false)
      const second = await tried("cleo", false)
      expect(await silentSince(HOUR)).toBe(second)
    })

    test("not while those who wait began to before the last message was accepted", async () => {
      await tried("ben", false)
      await tried("cleo", false)
      await tried("ana", true)
      await tried("dora", false)
      expect(await silentSince(HOUR)).toBeNull()
    })

    test("since the first one waits, in a shop whose mail server has accepted nothing for a day", async () => {
      await tried("ana", true)
      const since = await tried("ben", false)
      expect(await silentSince(DAY + HOUR)).toBe(since)
    })

    test("since one message alone waits for a mail server that takes none, though it has taken others that day", async () => {
      await tried("ana", true)
      const since = await tried("ben", false, true)
      expect(await silentSince(HOUR)).toBe(since)
      await tried("ben", false, true)
      expect(await silentSince(HOUR)).toBe(since)
    })

    test("not once the mail server has answered again, about whatever message", async () => {
      await tried("ana", true)
      await tried("ben", false, true)
      await tried("ben", false)
      expect(await silentSince(HOUR)).toBeNull()
      await tried("ben", false, true)
      await tried("cleo", true)
      expect(await silentSince(HOUR)).toBeNull()
    })

    test("since a message waits again, if the mail server had failed at another one before", async () => {
      await tried("ana", true)
      await tried("ben", false, true)
      await database.db.updateTable("mails").set({ state: "skipped" }).where("tries", ">", 0).execute()
      expect(await silentSince(HOUR)).toBeNull()
      await database.db.updateTable("mails").set({ state: "sent", settled_at: NOON }).execute()
      at += 2 * HOUR
      const later = await tried("cleo", false, true)
      expect(await silentSince(HOUR)).toBe(later)
    })

    test("since a message is due that nobody has tried to send", async () => {
      await tried("ana", true)
      const due = at + HOUR
      await backend.mails.enqueue({
        name: "password-changed",
        onceKey: "later",
        email: "b@example.test",
        at,
        due,
      })
      expect(await silentSince(HOUR - 1)).toBeNull()
      expect(await silentSince(2 * HOUR)).toBe(due)
    })
  })

  test("a message that was to be sent later is not late from its creation on", async () => {
    const due = NOON + DAY
    await backend.mails.enqueue({
      name: "password-changed",
      onceKey: "later",
      email: "ana@example.test",
      at: NOON,
      due,
    })
    expect((await backend.mails.stats(due, NOON)).oldestUnsent).toBe(due)
  })
})
