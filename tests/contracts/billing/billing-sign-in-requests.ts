import { describe, expect, test } from "vitest"
import { type Instant, MINUTE } from "~/domain/calendar"
import { CODE_PERIOD, CODE_TRIES, LINK_PERIOD, REPEAT_PERIOD } from "~/domain/customers/sign-in-request"
import { type BillingUnderTest, NOON, together, unique } from "./billing-fixtures"

/** Tests requests to sign in by mail. */
export function signInRequestsContract(backend: () => BillingUnderTest): void {
  const requests = () => backend().signInRequests

  async function request(
    changes: { email?: string; sessionId?: string; at?: Instant } = {},
  ): Promise<string> {
    const id = unique()
    const email = `${unique()}@example.test`
    await requests().create({ id, email, sessionId: "asking", locale: "de-de", at: NOON, ...changes })
    return id
  }
  const find = (id: string, at = NOON, sessionId = "other") =>
    requests().find(id, { sessionId, since: at - LINK_PERIOD, at })
  const countCodeTry = (id: string, at = NOON, sessionId = "asking") =>
    requests().countCodeTry(id, { sessionId, since: at - CODE_PERIOD, at })
  const use = (id: string, sessionId: string, at = NOON) =>
    requests().use(id, { customerId: "nobody", sessionId, at })

  async function provenAt(email: string) {
    const { operator } = backend()
    const { clients = [] } = (await operator.exportCustomer(await operator.customersOf(email))) ?? {}
    return clients[0]?.email_proven_at
  }

  describe("a request to sign in by mail", () => {
    test("is found by its id, with the normalized e-mail", async () => {
      const id = await request({ email: " Ana@Example.TEST " })
      expect(await find(id)).toEqual({ email: "ana@example.test", tries: 0 })
      expect(await find(unique())).toBeNull()
    })

    test.each([
      ["a millisecond before its end", LINK_PERIOD - 1, true],
      ["at its end", LINK_PERIOD, false],
    ])("its link works for 15 minutes (%s)", async (_, after, works) => {
      const id = await request()
      expect((await find(id, NOON + after)) !== null).toBe(works)
    })

    test.each([
      ["a millisecond before its end", CODE_PERIOD - 1, true],
      ["at its end", CODE_PERIOD, false],
    ])("its code works for 10 minutes (%s)", async (_, after, works) => {
      const id = await request()
      expect((await countCodeTry(id, NOON + after)) !== null).toBe(works)
    })

    test("its code works in the session that asked, and in no other", async () => {
      const id = await request()
      expect(await countCodeTry(id, NOON, "other")).toBeNull()
      expect(await countCodeTry(id)).toMatchObject({ tries: 1 })
    })

    test("has five tries of its code, also concurrent ones", async () => {
      const id = await request()
      const tried = await together(12, () => countCodeTry(id))
      expect(tried.filter((it) => it !== null)).toHaveLength(CODE_TRIES)
      expect(await countCodeTry(id)).toBeNull()
      expect(await find(id)).not.toBeNull()
    })

    test("a newer one of the same e-mail in the session ends it, and one of another e-mail does not", async () => {
      const older = await request({ email: "ana@example.test" })
      const other = await request({ email: "ben@example.test" })
      const newer = await request({ email: "ANA@example.test", at: NOON + MINUTE })
      const open = await Promise.all([older, other, newer].map((id) => find(id, NOON + MINUTE)))
      expect(open.map((it) => it?.email)).toEqual([undefined, "ben@example.test", "ana@example.test"])
      expect(await countCodeTry(older, NOON + MINUTE)).toBeNull()
      expect(await use(older, "asking", NOON + MINUTE)).toBe(false)
    })

    test("a newer one of another session ends neither its code nor its link", async () => {
      const email = `${unique()}@example.test`
      const own = await request({ email })
      const strangers = await together(3, () => request({ email, sessionId: unique(), at: NOON + MINUTE }))
      expect(await countCodeTry(own, NOON + MINUTE)).toMatchObject({ tries: 1 })
      for (const id of [own, ...strangers]) expect(await find(id, NOON + MINUTE)).not.toBeNull()
      expect(await use(own, "asking", NOON + MINUTE)).toBe(true)
    })

    test("of concurrent ones of an e-mail in a session one is open", async () => {
      const email = `${unique()}@example.test`
      const ids = await together(6, () => request({ email }))
      const open = await Promise.all(ids.map((id) => find(id)))
      expect(open.filter((it) => it !== null)).toHaveLength(1)
      const used = await Promise.all(ids.map((id) => use(id, "asking")))
      expect(used.filter(Boolean)).toHaveLength(1)
    })

    test("of concurrent ones of an e-mail in a session none works once the open one is used at the same moment", async () => {
      const email = `${unique()}@example.test`
      const ids = await together(6, () => request({ email }))
      const open = await Promise.all(ids.map((id) => find(id)))
      const newest = ids.find((_, at) => open[at] !== null) ?? ""
      expect(await use(newest, "asking")).toBe(true)
      for (const id of ids.filter((it) => it !== newest)) expect(await use(id, "other")).toBe(false)
    })

    test("made at the moment at which the one before was used works", async () => {
      const email = `${unique()}@example.test`
      for (let nth = 0; nth < 6; nth++) {
        const id = await request({ email })
        expect(await use(id, "asking")).toBe(true)
      }
    })

    test("is used by one of several sessions that use it at once", async () => {
      const id = await request()
      const sessions = Array.from({ length: 8 }, (_, nth) => `session ${nth}`)
      const used = await Promise.all(sessions.map((it) => use(id, it)))
      expect(used.filter(Boolean)).toHaveLength(1)
    })

    test("has an effect for a button pressed twice, and is used up for every other session", async () => {
      const id = await request()
      expect(await together(3, () => use(id, "asking"))).toEqual([true, true, true])
      expect([await use(id, "other"), await find(id), await countCodeTry(id, NOON, "other")]).toEqual([
        false,
        null,
        null,
      ])
      expect(await find(id, NOON, "asking")).not.toBeNull()
      expect(await countCodeTry(id, NOON + REPEAT_PERIOD - 1)).not.toBeNull()
      const later = NOON + REPEAT_PERIOD
      expect([
        await use(id, "asking", later),
        await find(id, later, "asking"),
        await countCodeTry(id, later),
      ]).toEqual([false, null, null])
    })

    test("does not work any more once it has been ended", async () => {
      const id = await request()
      await requests().end(id, NOON)
      await requests().end(id, NOON + 1)
      expect([await find(id), await countCodeTry(id), await use(id, "asking")]).toEqual([null, null, false])
    })

    test("its use records when the customer has proven the e-mail, once", async () => {
      const [email, other] = [`${unique()}@example.test`, `${unique()}@example.test`]
      const visitor = { locale: "de-de", currency: "EUR", country: "MA", address: null, at: NOON } as const
      const { customerId } = await backend().billing.identify({ ...visitor, email })
      await backend().billing.identify({ ...visitor, email: other })
      const id = await request({ email })
      const proof = { customerId, sessionId: "asking" }
      expect(await requests().use(id, { ...proof, at: NOON + 5 })).toBe(true)
      expect(await requests().use(id, { ...proof, at: NOON + 9 })).toBe(true)
      expect(await provenAt(email)).toBe(new Date(NOON + 5).toISOString())
      expect(await provenAt(other)).toBeNull()
    })

    test("is deleted with the others of its time", async () => {
      const [old, recent] = [await request(), await request({ at: NOON + 1 })]
      expect(await requests().deleteRequests(NOON + 1)).toBe(1)
      expect([await find(old), (await find(recent))?.tries]).toEqual([null, 0])
    })
  })
}
