import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { LineExtension } from "~/billing/resellers"
import { DAY, HOUR } from "~/domain/calendar"
import { NOON, placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { type Reseller, reseller } from "../../../../tests/contracts/billing/reseller-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

const refused = { name: "BillingError", kind: "refused" }

describe.each(engines)("on %s a reseller's lines", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** Working lines of a new reseller, who has 25 credits before them. */
  async function withLines(count: number) {
    const made = await reseller(shop)
    const ids: string[] = []
    for (let line = 0; line < count; line++) {
      const order = await shop.billing.createLine(made.line())
      await shop.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      ids.push(order.serviceId)
    }
    return { made, ids }
  }

  const extension = (
    { order, customerId }: Reseller,
    lineIds: readonly string[],
    changes: Partial<LineExtension> = {},
  ): LineExtension => ({
    key: unique(),
    customerId,
    resellerServiceId: order.serviceId,
    accessScope: { reach: "account" },
    resellerCreditScope: { reach: "account" },
    lineIds,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    number: unique,
    at: NOON,
    ...changes,
  })

  const creditsOf = async ({ customerId }: Reseller) => {
    const account = { id: customerId, email: "", locale: "en-en", currency: "EUR", reach: "account" } as const
    return shop.billing.resellerCredits(account, 10)
  }
  const endOf = async (id: string | undefined) => (await shop.billing.service(id ?? ""))?.paidUntil
  const topicsOf = async (id: string | undefined) => {
    const rows = await shop.ctx.db
      .selectFrom("outbox")
      .select("topic")
      .where("subject", "=", id ?? "")
      .execute()
    return rows.map(({ topic }) => topic)
  }

  test("are extended by a cycle each, for a credit each, in one order", async () => {
    const { made, ids } = await withLines(3)
    expect(await endOf(ids[0])).toBe(Date.UTC(2026, 6, 15, 12))
    const order = await shop.billing.extendLines(extension(made, ids))
    expect(order).toMatchObject({ kind: "renewal", status: "active", total: { minor: 0 } })
    for (const id of ids) expect(await endOf(id)).toBe(Date.UTC(2026, 7, 15, 12))
    expect(await topicsOf(ids[2])).toContain("extend")
    const { balance, movements } = await creditsOf(made)
    expect(balance).toBe(25 - 3 - 3)
    expect(movements.find(({ cause }) => cause === "extension")).toMatchObject({
      amount: -3,
      reference: order.id,
    })
  })

  test("that are extended are named in the ledger that the operator sees", async () => {
    const { made, ids } = await withLines(2)
    const [leo = "", mia = ""] = ids
    await shop.billing.setNotes(leo, "Leo")
    await shop.billing.setNotes(mia, "Mia")
    await shop.billing.extendLines(extension(made, [leo, mia]))
    const entries = await shop.operator.resellerEntries(made.customerId, { limit: 10 })
    expect(entries.find(({ cause }) => cause === "extension")?.customerName).toBe("Leo, Mia")
  })

  test("are extended once by a form that is sent twice, also at once", async () => {
    const { made, ids } = await withLines(1)
    const request = extension(made, ids)
    const orders = await Promise.all([1, 2, 3].map(() => shop.billing.extendLines(request)))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(await endOf(ids[0])).toBe(Date.UTC(2026, 7, 15, 12))
    expect((await creditsOf(made)).balance).toBe(25 - 1 - 1)
  })

  test("are all left as they were if the credits do not suffice", async () => {
    const { made, ids } = await withLines(13)
    await expect(shop.billing.extendLines(extension(made, ids))).rejects.toMatchObject(refused)
    expect(await endOf(ids[0])).toBe(Date.UTC(2026, 6, 15, 12))
    expect((await creditsOf(made)).balance).toBe(12)
    await shop.billing.extendLines(extension(made, ids.slice(0, 12)))
    expect((await creditsOf(made)).balance).toBe(0)
  })

  test("suspended for non-payment work again once they are extended", async () => {
    const { made, ids } = await withLines(1)
    const [id = ""] = ids
    const at = NOON + 40 * DAY
    await shop.operator.suspendService(id, { owner: "non-payment", reason: null, at })
    await shop.billing.extendLines(extension(made, ids, { at }))
    expect(await shop.billing.service(id)).toMatchObject({ status: "Active", suspension: null })
    expect(await topicsOf(id)).toContain("resume")
  })

  test("of another reseller, and services that are no lines, are not extended", async () => {
    const [{ made }, other] = [await withLines(0), await withLines(1)]
    for (const lineIds of [other.ids, [made.order.serviceId], ["none"], []])
      await expect(shop.billing.extendLines(extension(made, lineIds))).rejects.toMatchObject(refused)
    const [id = ""] = other.ids
    await expect(shop.billing.extendLines(extension(other.made, [id, id]))).rejects.toMatchObject(refused)
  })

  test("under a sign-up password are paid with the credits of that password only", async () => {
    const { made, ids } = await withLines(1)
    const resellerCreditScope = { reach: "sign-up", passwordId: "another" } as const
    const request = extension(made, ids, { resellerCreditScope, accessScope: resellerCreditScope })
    await expect(shop.billing.extendLines(request)).rejects.toMatchObject(refused)
    expect((await creditsOf(made)).balance).toBe(24)
  })

  test("that were not used are cancelled for their credit, once", async () => {
    const { made, ids } = await withLines(1)
    const cancellation = { lineId: ids[0] ?? "", customerId: made.customerId, at: NOON + 23 * HOUR }
    const results = await Promise.all([1, 2].map(() => shop.billing.cancelLine(cancellation)))
    expect(results.toSorted()).toEqual(["returned", null].toSorted())
    expect(await shop.billing.service(cancellation.lineId)).toMatchObject({ status: "Terminated" })
    expect(await topicsOf(ids[0])).toContain("terminate")
    const { balance, movements } = await creditsOf(made)
    expect(balance).toBe(25)
    expect(movements.find(({ cause }) => cause === "return")?.amount).toBe(1)
  })

  test.each<[string, (it: { id: string; made: Reseller }) => Promise<unknown>, number]>([
    [
      "have lapsed and were extended since",
      ({ id, made }) => shop.billing.extendLines(extension(made, [id], { at: NOON + 60 * DAY })),
      NOON + 60 * DAY + HOUR,
    ],
    ["are a day old", async () => {}, NOON + 24 * HOUR],
    ["were extended", ({ id, made }) => shop.billing.extendLines(extension(made, [id])), NOON + HOUR],
    ["are tied to a device", ({ id }) => shop.billing.setDeviceAddress(id, "00:1A:79:00:00:07"), NOON + HOUR],
  ])("that %s are not cancelled", async (_, use, at) => {
    const { made, ids } = await withLines(1)
    const [id = ""] = ids
    await use({ id, made })
    const { balance } = await creditsOf(made)
    expect(await shop.billing.cancelLine({ lineId: id, customerId: made.customerId, at })).toBeNull()
    expect(await shop.billing.service(id)).toMatchObject({ status: "Active" })
    expect((await creditsOf(made)).balance).toBe(balance)
  })

  test("are listed, with those that were extended; a reseller's own plan is none", async () => {
    const { made, ids } = await withLines(2)
    const [fresh = "", extended = ""] = ids
    await shop.billing.extendLines(extension(made, [extended]))
    const own = await placed(shop, { key: unique(), accessScope: { reach: "account" } })
    const all = [...ids, made.order.serviceId, own.serviceId]
    const found = await shop.billing.linesOnCredit(made.customerId, all)
    expect(new Map([...found].map(([id, { wasExtended }]) => [id, wasExtended]))).toEqual(
      new Map([
        [fresh, false],
        [extended, true],
      ]),
    )
    expect((await shop.billing.linesOnCredit("another", ids)).size).toBe(0)
  })

  test("that were cancelled, or ended by the operator, take no credit any more", async () => {
    const { made, ids } = await withLines(2)
    const [unused = "", used = ""] = ids
    await shop.billing.cancelLine({ lineId: unused, customerId: made.customerId, at: NOON })
    await shop.operator.terminateService(used, { owner: "operator", reason: "abuse", at: NOON })
    const { balance } = await creditsOf(made)
    for (const id of [unused, used])
      await expect(shop.billing.extendLines(extension(made, [id]))).rejects.toMatchObject(refused)
    expect((await creditsOf(made)).balance).toBe(balance)
  })

  test("have ended early if they ended before the end of their paid time", async () => {
    const { made, ids } = await withLines(3)
    const [cancelled = "", unpaid = ""] = ids
    const { customerId } = made
    await shop.billing.cancelLine({ lineId: cancelled, customerId, at: NOON })
    const end = { owner: "operator", reason: "unpaid", at: NOON + 60 * DAY } as const
    await shop.operator.terminateService(unpaid, end)
    expect(await shop.billing.linesEndedEarly(customerId, ids)).toEqual(new Set([cancelled]))
    expect(await shop.billing.linesEndedEarly("another", ids)).toEqual(new Set())
    expect(await shop.billing.linesEndedEarly(customerId, [])).toEqual(new Set())
  })

  test("have ended early also among more of them than a statement of either database takes parameters", async () => {
    const { made, ids } = await withLines(2)
    const { customerId } = made
    for (const lineId of ids) await shop.billing.cancelLine({ lineId, customerId, at: NOON + HOUR })
    const [first = "", last = ""] = ids
    const others = Array.from({ length: 66_000 }, (_, at) => `line-${at}`)
    const found = await shop.billing.linesEndedEarly(customerId, [first, ...others, last])
    expect(found).toEqual(new Set(ids))
  })

  test("of another reseller are not cancelled", async () => {
    const [{ made }, other] = [await withLines(0), await withLines(1)]
    const lineId = other.ids[0] ?? ""
    expect(await shop.billing.cancelLine({ lineId, customerId: made.customerId, at: NOON })).toBeNull()
  })
})
