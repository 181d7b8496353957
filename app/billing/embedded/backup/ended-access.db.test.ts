import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import {
  byAdminCli,
  catalogueFixture,
  NOON,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { rowsOfBefore } from "../../../../tests/fixtures/migration-fixtures"
import {
  asFile,
  engines,
  fill,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { restore } from "./restore.server"

const PASSWORD = "correct horse battery"

describe.each(engines)("a restore of a backup on %s", (engine) => {
  let database: TemporaryDatabase
  let shop: Awaited<ReturnType<typeof createEmbeddedBilling>>
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    shop = await createEmbeddedBilling(database.url, catalogueFixture)
  })
  afterEach(async () => {
    await shop.close()
    await database.close()
  })

  /** Restores what the database was before something happened. */
  async function restoredAfter(happens: () => Promise<unknown>) {
    const backup = await linesOf(database)
    await happens()
    await restore(database, asFile(backup), { replace: true })
  }

  const access = (linkHash: string) => ({ linkHash, linkUntil: NOON + DAY, totpSecret: "sealed", at: NOON })
  const invite = (id: string) =>
    shop.operators.add({ ...access(id), id, email: `${id}@shop.test`, role: "owner" }, byAdminCli)
  const setUp = (id: string, linkHash = id, password = PASSWORD) =>
    shop.operators.setUp({ id, linkHash, password, counter: 5, codeHashes: ["a"] })
  const getsIn = async (id: string, password = PASSWORD) =>
    (await shop.operators.checkPassword(`${id}@shop.test`, password)) !== null

  test("keeps the sessions of customers ended that have ended since", async () => {
    const { customerId } = await placed(shop)
    const other = await placed(shop)
    const customer = { id: customerId, reach: "account" } as const
    const session = { asOf: NOON, customer, orderId: null, serviceIds: [] }
    await restoredAfter(async () => {
      await shop.sessions.end("signed out", NOON + DAY)
      await shop.sessions.endAllOf(customer, NOON + HOUR)
    })
    const isEnded = (changes: Partial<typeof session & { id: string }>) =>
      shop.sessions.isEnded({ ...session, id: "another", ...changes })
    expect(await isEnded({ id: "signed out", asOf: NOON + DAY })).toBe(true)
    expect([await isEnded({}), await isEnded({ asOf: NOON + HOUR + 1 })]).toEqual([true, false])
    expect(await isEnded({ customer: { id: other.customerId, reach: "account" } })).toBe(false)
  })

  test("lets no operator in who was disabled or has got other factors since, and every other one", async () => {
    for (const id of ["disabled", "anew", "changed", "same"]) {
      await invite(id)
      await setUp(id)
    }
    await restoredAfter(async () => {
      await shop.operators.disable("disabled", NOON, byAdminCli)
      await shop.operators.reset("anew", access("anew 2"), byAdminCli)
      const session = {
        id: "s",
        tokenHash: "s",
        operatorId: "changed",
        at: NOON,
        address: null,
        browser: null,
      }
      await shop.operators.addSession(session)
      const change = { password: "another one", keptSession: "s", at: NOON }
      expect(await shop.operators.changePassword("changed", change)).toBe(true)
      await invite("later")
    })
    const operators = await shop.operators.list()
    expect(operators.map(({ id, isSetUp, disabledAt }) => [id, isSetUp, disabledAt])).toEqual([
      ["anew", false, null],
      ["changed", false, null],
      ["disabled", true, NOON],
      ["same", true, null],
    ])
    expect(await getsIn("same")).toBe(true)
    for (const id of ["disabled", "anew", "changed", "later"])
      expect([await getsIn(id), await getsIn(id, "another one")]).toEqual([false, false])
  })

  test("brings no recovery code back that was used since, or replaced by others", async () => {
    for (const id of ["marta", "jonas"]) {
      await invite(id)
      await shop.operators.setUp({ id, linkHash: id, password: PASSWORD, counter: 5, codeHashes: ["a", "b"] })
    }
    const session = { id: "s", tokenHash: "s", operatorId: "jonas", at: NOON, address: null, browser: null }
    await restoredAfter(async () => {
      await shop.operators.spendRecoveryCode("marta", "a")
      await shop.operators.addSession(session)
      await shop.operators.replaceRecoveryCodes("jonas", { codeHashes: ["c"], keptSession: "s", at: NOON })
    })
    const { recoveryCodesLeft, spendRecoveryCode } = shop.operators
    expect([await recoveryCodesLeft("marta"), await recoveryCodesLeft("jonas")]).toEqual([1, 0])
    expect([await spendRecoveryCode("marta", "a"), await spendRecoveryCode("marta", "b")]).toEqual([
      false,
      true,
    ])
  })

  test("leaves no sign-in by mail open, which may have been used since, nor a change of e-mail", async () => {
    const { customerId } = await placed(shop)
    const request = { email: "ana@example.com", locale: "en-en", sessionId: "one", at: NOON } as const
    await shop.signInRequests.create({ ...request, id: "asked" })
    await shop.emailChanges?.create({
      id: "changing",
      customerId,
      email: "new@example.com",
      locale: "en-en",
      at: NOON,
    })
    await restoredAfter(() => shop.signInRequests.use("asked", { customerId, sessionId: "two", at: NOON }))
    const visit = { since: NOON - HOUR, sessionId: "three", at: NOON + MINUTE }
    expect(await shop.signInRequests.find("asked", visit)).toBeNull()
    expect(await shop.emailChanges?.openOf(customerId, NOON - HOUR)).toBeNull()
  })

  test("brings no session and no one-time link of the console back", async () => {
    await invite("marta")
    await invite("jonas")
    await setUp("marta")
    const session = { id: "s", tokenHash: "s", operatorId: "marta", at: NOON, address: null, browser: null }
    await shop.operators.addSession(session)
    await restoredAfter(() => setUp("jonas"))
    expect(await shop.operators.byLink("jonas", NOON)).toBeNull()
    const limits = { now: NOON, idle: HOUR, longest: HOUR, isUse: false }
    expect(await shop.operators.session("s", limits)).toBeNull()
  })

  test("ends what waited for a second operator, who may have decided on it since", async () => {
    const order = await placed(shop)
    await shop.approvals.add({
      id: "asked",
      action: "mark-order-paid",
      orderId: order.id,
      customerId: null,
      amount: money(500, "EUR"),
      details: { endsService: false, force: false, throughGateway: false, address: null },
      reason: "bank transfer",
      ...byAdminCli,
      at: NOON,
      expiresAt: NOON + DAY,
    })
    expect(await shop.approvals.open(NOON, 9)).toHaveLength(1)
    await restoredAfter(() => shop.approvals.finish("asked", "done"))
    expect(await shop.approvals.open(NOON, 9)).toEqual([])
  })

  test("ends what was confirmed and not finished: the money may have moved since, and would move twice", async () => {
    const order = await placed(shop)
    await shop.approvals.add({
      id: "asked",
      action: "refund-order",
      orderId: order.id,
      customerId: null,
      amount: money(500, "EUR"),
      details: { endsService: false, force: false, throughGateway: true, address: null },
      reason: "outage",
      ...byAdminCli,
      at: NOON,
      expiresAt: NOON + DAY,
    })
    await shop.approvals.decide({ id: "asked", decision: "confirmed", operator: "marta@shop.test", at: NOON })
    expect(await shop.approvals.open(NOON, 9)).toHaveLength(1)
    await restoredAfter(() => shop.approvals.finish("asked", "done"))
    expect(await shop.approvals.open(NOON, 9)).toEqual([])
    expect(await shop.approvals.find("asked")).toMatchObject({
      decision: "confirmed",
      result: "ended-by-restore",
    })
  })

  test("leaves as it was what had been decided, done or confirmed before the backup", async () => {
    const { db } = database
    for (const table of ["products", "promotions"] as const) await db.deleteFrom(table).execute()
    await fill(database)
    await db.updateTable("email_changes").set({ confirmed_at: NOON, ended_at: null }).execute()
    const declined = { id: "declined", decision: "declined", result: null }
    await db
      .insertInto("approvals")
      .values({ ...rowsOfBefore.approvals, ...declined } as never)
      .execute()
    const settled = async () => [
      await db.selectFrom("approvals").selectAll().orderBy("id").execute(),
      await db.selectFrom("email_changes").selectAll().execute(),
    ]
    const before = await settled()
    await restoredAfter(async () => {})
    expect(await settled()).toEqual(before)
  })

  test("keeps the later end of a customer's sessions, whether the backup knows it or the database", async () => {
    const { customerId } = await placed(shop)
    const customer = { id: customerId, reach: "account" } as const
    await shop.sessions.endAllOf(customer, NOON + HOUR)
    await restoredAfter(() => database.db.updateTable("clients").set({ sessions_since: NOON }).execute())
    const session = { id: "s", asOf: NOON + MINUTE, customer, orderId: null, serviceIds: [] }
    expect(await shop.sessions.isEnded(session)).toBe(true)
  })

  test("lets no operator in whose app for codes alone is another one since", async () => {
    await invite("marta")
    await setUp("marta")
    await restoredAfter(() => database.db.updateTable("operators").set({ totp_secret: "another" }).execute())
    expect(await getsIn("marta")).toBe(false)
  })

  test("keeps all sessions ended that have ended since, however many", async () => {
    const ended = Array.from({ length: 450 }, (_, nth) => ({ id: `session ${nth}`, until: NOON }))
    await restoredAfter(() => database.db.insertInto("ended_sessions").values(ended).execute())
    expect(await database.db.selectFrom("ended_sessions").selectAll().execute()).toHaveLength(450)
  })
})
