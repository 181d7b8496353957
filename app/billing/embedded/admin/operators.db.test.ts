import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { byAdminCli, NOON, together, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { usualMail } from "../../../../tests/fixtures/mailing-database"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { auditLogOf } from "./audit-log.server"
import { operatorsOf } from "./operators.server"

const PASSWORD = "correct horse battery"
const EMAIL = "Marta@shop.test"
const limits = (now: number) => ({ now, idle: HOUR, longest: 12 * HOUR })

describe.each(engines)("on %s", (engine) => {
  let backend: TemporaryDatabase
  beforeEach(async () => {
    backend = await openTemporaryDatabase(engine)
  })
  afterEach(() => backend.close())

  const operators = () => operatorsOf(backend)
  const auditLog = () => auditLogOf(backend)

  async function invited(email = EMAIL) {
    const [id, linkHash] = [unique(), unique()]
    const access = { linkHash, linkUntil: NOON + HOUR, totpSecret: "sealed" }
    expect(await operators().add({ ...access, id, email, role: "owner", at: NOON }, byAdminCli)).toBe("done")
    return { id, linkHash }
  }
  async function setUp(email = EMAIL) {
    const { id, linkHash } = await invited(email)
    await operators().setUp({ id, linkHash, password: PASSWORD, counter: 5, codeHashes: ["a", "b"] })
    return id
  }
  async function openedSession(operatorId: string, at = NOON) {
    const id = unique()
    const where = { address: "198.51.100.8", browser: "Firefox" }
    await operators().addSession({ id, tokenHash: `hash ${id}`, operatorId, at, ...where })
    return id
  }
  const isOpen = async (id: string, now = NOON, isUse = true) =>
    (await operators().session(`hash ${id}`, { ...limits(now), isUse })) !== null

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["has got another password", async (id) => changedPassword(id, await openedSession(id))],
    ["has been reset", (id) => operators().reset(id, { ...access, at: NOON }, byAdminCli)],
    ["has been disabled", (id) => operators().disable(id, NOON, byAdminCli)],
  ])("a sign-in whose password was right before the operator %s opens no session", async (_, happens) => {
    const operatorId = await setUp()
    const { passwordMark } = (await operators().checkPassword(EMAIL, PASSWORD)) ?? {}
    const session = { operatorId, passwordMark, at: NOON, address: null, browser: null }
    expect(await operators().addSession({ ...session, id: "before", tokenHash: "hash before" })).toBe(true)
    await happens(operatorId)
    expect(await operators().addSession({ ...session, id: "after", tokenHash: "hash after" })).toBe(false)
    expect([await isOpen("before"), await isOpen("after")]).toEqual([false, false])
  })
  const changedPassword = (id: string, keptSession: string) =>
    operators().changePassword(id, { keptSession, at: NOON, password: "another" })
  const access = { linkHash: "anew", linkUntil: NOON + HOUR, totpSecret: "sealed" }

  describe("an operator", () => {
    test("is added once for an e-mail, in any spelling", async () => {
      expect(await operators().exist()).toBe(false)
      await invited()
      expect(await operators().exist()).toBe(true)
      const again = { id: "other", linkHash: "x", linkUntil: NOON, totpSecret: "s", at: NOON }
      expect(await operators().add({ ...again, email: " marta@SHOP.test", role: "viewer" }, byAdminCli)).toBe(
        "unchanged",
      )
      expect(await operators().list()).toMatchObject([{ email: EMAIL, role: "owner", isSetUp: false }])
    })

    test("uses the one-time link once, also in concurrent requests, and only before its end", async () => {
      const { id, linkHash } = await invited()
      expect(await operators().byLink(linkHash, NOON + HOUR - 1)).toMatchObject({ id, totpSecret: "sealed" })
      expect(await operators().byLink(linkHash, NOON + HOUR)).toBeNull()
      const link = { id, linkHash, password: PASSWORD, counter: 5, codeHashes: ["a"] }
      const used = await together(3, () => operators().setUp(link))
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await operators().byLink(linkHash, NOON)).toBeNull()
    })

    test("gets in by the password, and not before it is set or after being disabled", async () => {
      await invited("jonas@shop.test")
      expect(await operators().checkPassword("jonas@shop.test", PASSWORD)).toBeNull()
      const id = await setUp()
      expect(await operators().checkPassword("marta@shop.test", PASSWORD)).toMatchObject({
        id,
        role: "owner",
      })
      expect(await operators().checkPassword(EMAIL, `${PASSWORD} `)).toBeNull()
      expect(await operators().checkPassword("nobody@shop.test", PASSWORD)).toBeNull()
      expect(await operators().disable(id, NOON, byAdminCli)).toBe("done")
      expect(await operators().disable(id, NOON, byAdminCli)).toBe("unchanged")
      expect(await operators().checkPassword(EMAIL, PASSWORD)).toBeNull()
    })

    test("uses each code and each recovery code once, also in concurrent requests", async () => {
      const id = await setUp()
      expect(await operators().spendCode(id, 5)).toBe(false)
      expect((await together(4, () => operators().spendCode(id, 6))).filter(Boolean)).toHaveLength(1)
      expect(await operators().spendCode(id, 4)).toBe(false)
      expect((await together(4, () => operators().spendRecoveryCode(id, "a"))).filter(Boolean)).toHaveLength(
        1,
      )
      expect(await operators().spendRecoveryCode("other", "b")).toBe(false)
      expect(await operators().recoveryCodesLeft(id)).toBe(1)
    })

    test("who is disabled or reset at that moment changes no other account: one owner remains", async () => {
      const [marta, jonas] = [await setUp(), await setUp("jonas@shop.test")]
      const by = (operatorId: string) => ({ operatorId, operator: "an owner" })
      const changes = await Promise.all([
        operators().disable(marta, NOON, by(jonas)),
        operators().disable(jonas, NOON, by(marta)),
      ])
      expect(changes.toSorted()).toEqual(["done", "no-owner"])
      const remaining = (await operators().list()).filter(({ disabledAt }) => disabledAt === null)
      expect(remaining).toHaveLength(1)
      const gone = by(remaining[0]?.id === marta ? jonas : marta)
      const ghost = { ...access, id: unique(), email: "ghost@shop.test", role: "owner", at: NOON } as const
      expect(await operators().add(ghost, gone)).toBe("no-owner")
      expect(await operators().reset(remaining[0]?.id ?? "", { ...access, at: NOON }, gone)).toBe("no-owner")
      expect(await operators().list()).toHaveLength(2)
      expect((await operators().list()).filter(({ isSetUp }) => isSetUp)).toHaveLength(2)
    })

    test("who is no owner, or has not set up the access, changes no account", async () => {
      const owner = await setUp()
      const { id } = await invited("jonas@shop.test")
      const support = { ...access, linkHash: unique(), id: unique(), email: "ines@shop.test", at: NOON }
      await operators().add({ ...support, role: "support" }, byAdminCli)
      for (const operatorId of [id, support.id, "unknown"])
        expect(await operators().disable(owner, NOON, { operatorId, operator: "x" })).toBe("no-owner")
    })

    test("who is disabled before using the one-time link cannot use it any more", async () => {
      const { id, linkHash } = await invited()
      expect(await operators().disable(id, NOON, byAdminCli)).toBe("done")
      expect(await operators().byLink(linkHash, NOON)).toBeNull()
      const link = { id, linkHash, password: PASSWORD, counter: 5, codeHashes: ["a"] }
      expect(await operators().setUp(link)).toBe(false)
    })

    test("loses password, codes and sessions by a reset, which also enables again", async () => {
      const id = await setUp()
      const session = await openedSession(id)
      await operators().disable(id, NOON, byAdminCli)
      await operators().reset(
        id,
        { linkHash: "new", linkUntil: NOON + 1, totpSecret: "other", at: NOON },
        byAdminCli,
      )
      expect(await operators().checkPassword(EMAIL, PASSWORD)).toBeNull()
      expect(await operators().recoveryCodesLeft(id)).toBe(0)
      expect(await isOpen(session)).toBe(false)
      expect(await operators().byLink("new", NOON)).toMatchObject({ id, totpSecret: "other" })
      expect(await operators().find("MARTA@shop.test")).toMatchObject({ disabledAt: null, isSetUp: false })
    })
  })

  describe("a change of an owner's access", () => {
    const access = { linkHash: "ines", linkUntil: NOON + HOUR, totpSecret: "sealed" }
    const ines = { ...access, id: "ines", email: "ines@shop.test", role: "owner", at: NOON } as const

    /** What has been mailed to whom; the operator's address is null. */
    async function mailed() {
      const mails = await backend.db.selectFrom("mails").select(["email", "detail"]).execute()
      await backend.db.deleteFrom("mails").execute()
      return mails.map(({ email, detail }) => `${email}: ${detail}`).toSorted()
    }

    test("is mailed to every other owner and to the one whose access it is", async () => {
      await setUp()
      const operatorId = await setUp("jonas@shop.test")
      const mailing = operatorsOf({ ...backend, mail: usualMail })
      const by = { operatorId, operator: "jonas@shop.test" }
      await mailing.add(ines, by)
      expect(await mailed()).toEqual([`${EMAIL}: added ines@shop.test jonas@shop.test`])
      await mailing.reset("ines", { ...access, linkHash: "other", at: NOON + 1 }, by)
      await mailing.disable("ines", NOON + 2, by)
      const owners = [EMAIL, "ines@shop.test"]
      const changes = ["reset", "disabled"].map((it) => `${it} ines@shop.test jonas@shop.test`)
      expect(await mailed()).toEqual(owners.flatMap((to) => changes.map((it) => `${to}: ${it}`)).toSorted())
      await mailing.add({ ...ines, id: "tom", linkHash: "tom", email: "tom@shop.test", role: "support" }, by)
      expect(await mailed()).toEqual([])
    })

    test("is mailed to the operator's address where there is no other owner", async () => {
      const operatorId = await setUp()
      const mailing = operatorsOf({ ...backend, mail: usualMail })
      await mailing.add(ines, { operatorId, operator: EMAIL })
      expect(await mailed()).toEqual([`null: added ines@shop.test ${EMAIL}`])
    })
  })

  describe("a session", () => {
    test.each([
      ["is over after an hour without use", 0, HOUR, false],
      ["is still open a moment before", 0, HOUR - 1, true],
    ])("%s", async (_, used, now, expected) => {
      const session = await openedSession(await setUp(), NOON + used)
      expect(await isOpen(session, NOON + now)).toBe(expected)
    })

    test("lasts 12 hours at most, however often it is used", async () => {
      const session = await openedSession(await setUp())
      for (let at = NOON; at < NOON + 12 * HOUR; at += 30 * MINUTE)
        expect(await isOpen(session, at)).toBe(true)
      expect(await isOpen(session, NOON + 12 * HOUR)).toBe(false)
    })

    test("rests while its page updates itself, and nobody asks for anything", async () => {
      const session = await openedSession(await setUp())
      for (let at = NOON; at < NOON + HOUR; at += 10 * MINUTE)
        expect(await isOpen(session, at, false)).toBe(true)
      expect(await isOpen(session, NOON + HOUR, false)).toBe(false)
      expect(await isOpen(session, NOON + HOUR)).toBe(false)
    })

    test("ends alone, and for its own operator only", async () => {
      const [marta, jonas] = [await setUp(), await setUp("jonas@shop.test")]
      const [first, second] = [await openedSession(marta), await openedSession(marta)]
      expect(await operators().endSession(jonas, first, NOON)).toBe(false)
      expect(await operators().endSession(marta, first, NOON)).toBe(true)
      expect(await operators().endSession(marta, first, NOON)).toBe(false)
      expect([await isOpen(first), await isOpen(second)]).toEqual([false, true])
      expect(await operators().sessions(marta, limits(NOON))).toMatchObject([
        { id: second, browser: "Firefox" },
      ])
      expect(await operators().endSessions(marta, NOON)).toBe(1)
    })

    test("ends with its operator, and with a changed factor in other browsers", async () => {
      const id = await setUp()
      const [kept, other, third] = [await openedSession(id), await openedSession(id), await openedSession(id)]
      await operators().changePassword(id, { password: `${PASSWORD} 2`, keptSession: kept, at: NOON })
      expect([await isOpen(kept), await isOpen(other), await isOpen(third)]).toEqual([true, false, false])
      expect(await operators().checkPassword(EMAIL, `${PASSWORD} 2`)).not.toBeNull()
      const later = await openedSession(id)
      await operators().replaceRecoveryCodes(id, { codeHashes: ["c"], keptSession: kept, at: NOON })
      expect([await isOpen(kept), await isOpen(later)]).toEqual([true, false])
      expect(await operators().spendRecoveryCode(id, "b")).toBe(false)
      await operators().disable(id, NOON, byAdminCli)
      expect(await isOpen(kept)).toBe(false)
    })

    test.each<[string, (id: string) => Promise<unknown>]>([
      ["been reset", (id) => operators().reset(id, { ...access, at: NOON }, byAdminCli)],
      ["been disabled", (id) => operators().disable(id, NOON, byAdminCli)],
      ["ended", (id) => operators().endSessions(id, NOON)],
    ])("changes no factor any more once it has %s, also at that moment", async (_, happens) => {
      const id = await setUp()
      const session = await openedSession(id)
      await happens(id)
      expect(await changedPassword(id, session)).toBe(false)
      const codes = { codeHashes: ["stolen"], keptSession: session, at: NOON }
      expect(await operators().replaceRecoveryCodes(id, codes)).toBe(false)
      expect(await operators().checkPassword(EMAIL, "another")).toBeNull()
      expect(await operators().spendRecoveryCode(id, "stolen")).toBe(false)
    })

    test("records when password and code were given again", async () => {
      const session = await openedSession(await setUp())
      await operators().prove(session, NOON + MINUTE)
      expect(await operators().session(`hash ${session}`, { ...limits(NOON), isUse: true })).toMatchObject({
        provenAt: NOON + MINUTE,
      })
      expect(await operators().deleteSessions(NOON + 1)).toBe(1)
    })
  })

  describe("the audit log", () => {
    const entry = { at: NOON, operatorId: null, operator: "admin CLI", action: "x", outcome: "done" } as const
    const add = (subject: string, more = {}) => auditLog().append({ ...entry, subject, ...more })

    test("chains its entries, and lists them by subject", async () => {
      expect(await add("order 1", { before: { a: 1 }, after: { a: 2 }, reason: "asked" })).toBe(1)
      expect(await add("order 2")).toBe(2)
      expect(await add("order 1")).toBe(3)
      const [first, , third] = await auditLog().page({ after: 0, limit: 10 })
      expect(first).toMatchObject({ before: '{"a":1}', after: '{"a":2}', reason: "asked", previousHash: "" })
      expect(await auditLog().newest({ limit: 9, subject: "order 1" })).toEqual([third, first])
      expect(await auditLog().newest({ limit: 9, before: 2 })).toEqual([first])
      expect(await auditLog().verify()).toEqual({ entries: 3, brokenAt: null, lastHash: third?.hash })
    })

    test("takes concurrent entries in one chain, and a form key once", async () => {
      const positions = await together(8, () => add("order 1", { formKey: "same" }))
      expect(positions.filter((it) => it !== null)).toHaveLength(1)
      await together(8, () => add("order 2"))
      expect(await auditLog().verify()).toMatchObject({ entries: 9, brokenAt: null })
    })

    test.each([
      ["a changed reason", sql`update audit_log set reason = 'other' where position = 2`, 2],
      ["a changed action", sql`update audit_log set action = 'y' where position = 2`, 2],
      ["a changed object", sql`update audit_log set subject = 'order 9' where position = 2`, 2],
      ["a changed outcome", sql`update audit_log set outcome = 'failed' where position = 2`, 2],
      ["a changed time", sql`update audit_log set at = at + 1 where position = 2`, 2],
      ["a changed value of before", sql`update audit_log set before = '{"a":9}' where position = 2`, 2],
      ["a changed value of after", sql`update audit_log set after = '{"a":9}' where position = 2`, 2],
      ["a changed operator", sql`update audit_log set operator = 'jonas' where position = 3`, 3],
      ["a removed entry", sql`delete from audit_log where position = 2`, 3],
      ["a changed hash", sql`update audit_log set hash = 'x' where position = 1`, 1],
    ])("is found broken after %s", async (_, tampering, brokenAt) => {
      for (const subject of ["order 1", "order 2", "order 3"]) await add(subject, { reason: "asked" })
      await tampering.execute(backend.db)
      expect(await auditLog().verify()).toMatchObject({ brokenAt })
    })
  })
})
