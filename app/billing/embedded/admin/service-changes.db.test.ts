import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DAY, HOUR, type Instant } from "~/domain/calendar"
import type { SuspensionOwner } from "~/domain/services/service"
import { catalogueFixture, placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { ServiceRow } from "../db/schema/order-rows"
import { inTransaction } from "../db/transaction.server"
import { extendTerm } from "../services/service-terms.server"
import type { CampaignRequest } from "../services/term-campaigns.server"

const began = Date.UTC(2027, 0, 1, 12)
const outage = Date.UTC(2027, 0, 20, 18)
const at = Date.UTC(2027, 0, 21, 9)
const reason = "outage of 20 January"
const operator = { owner: "operator", reason, at } as const

describe.each(engines)("on %s", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** A running service that is paid for a month from `began`. */
  async function running(changes: Partial<ServiceRow> = {}): Promise<string> {
    const { serviceId: id } = await placed(shop)
    await inTransaction(shop.ctx, async (tx) => {
      const row = { cycle: "monthly", status: "Active", created_at: began, ...changes } as const
      await tx.db.updateTable("services").set(row).where("id", "=", id).execute()
      await extendTerm(tx, id, { cycles: 1, anchor: began, at: began, event: { kind: "renewed" } })
    })
    return id
  }

  const shown = async (id: string) => {
    const found = await shop.operator.serviceDetails(id)
    if (!found) throw new Error("no service")
    return found
  }
  const endOf = async (id: string) => (await shown(id)).service.paidUntil
  const topicsOf = async (id: string) => {
    const rows = await shop.ctx.db.selectFrom("outbox").select("topic").where("subject", "=", id).execute()
    return rows.map(({ topic }) => topic).filter((topic) => topic !== "provision")
  }

  test("a suspended service has an owner, a reason and a job that tells the panel, until it is resumed", async () => {
    const id = await running()
    expect(await shop.operator.suspendService(id, operator)).toBe(true)
    expect(await shown(id)).toMatchObject({ service: { status: "Suspended", suspension: operator } })
    expect(await topicsOf(id)).toEqual(["suspend"])
    expect(await shop.operator.resumeService(id, { owners: ["operator"], reason: null, at })).toBe(true)
    expect(await shown(id)).toMatchObject({ service: { status: "Active", suspension: null } })
    const { events } = await shown(id)
    expect(events.slice(1)).toMatchObject([
      { kind: "suspended", detail: { owner: "operator", reason } },
      { kind: "resumed", detail: null },
    ])
  })

  test.each<[SuspensionOwner, boolean]>([
    ["non-payment", true],
    ["operator", false],
    ["fraud", false],
    ["panel", false],
  ])("a suspension by %s is lifted by a payment: %s", async (owner, isLifted) => {
    const id = await running()
    await shop.operator.suspendService(id, { owner, reason: null, at })
    expect(await shop.operator.resumeService(id, { owners: ["non-payment"], reason: null, at })).toBe(
      isLifted,
    )
  })

  test("the operator's suspension replaces one for non-payment, and not the other way round", async () => {
    const id = await running()
    const unpaid = { owner: "non-payment", reason: null, at } as const
    await shop.operator.suspendService(id, unpaid)
    expect(await shop.operator.suspendService(id, operator)).toBe(true)
    expect(await shop.operator.suspendService(id, unpaid)).toBe(false)
    expect((await shown(id)).service.suspension).toMatchObject({ owner: "operator" })
  })

  test("a terminated service has no host and no suspension, and can neither be suspended nor extended", async () => {
    const id = await running({ host: "https://tv.test" })
    await shop.operator.suspendService(id, operator)
    expect(await shop.operator.terminateService(id, operator)).toBe(true)
    expect((await shown(id)).service).toMatchObject({ status: "Terminated", host: null, suspension: null })
    expect(await topicsOf(id)).toContain("terminate")
    expect(await shop.operator.terminateService(id, operator)).toBe(false)
    expect(await shop.operator.suspendService(id, operator)).toBe(false)
    expect(await shop.operator.extendService(id, { days: 3, reason, at })).toBeNull()
  })

  test("days move the end, tell the panel, and end a suspension for non-payment once the time is paid", async () => {
    const id = await running()
    const end = (await endOf(id)) ?? 0
    const late = end + 4 * DAY
    await shop.operator.suspendService(id, { owner: "non-payment", reason: null, at: late })
    expect(await shop.operator.extendService(id, { days: 2, reason, at: late })).toBe(end + 2 * DAY)
    expect((await shown(id)).service.status).toBe("Suspended")
    expect(await shop.operator.extendService(id, { days: 3, reason, at: late })).toBe(end + 5 * DAY)
    expect((await shown(id)).service.status).toBe("Active")
    expect((await topicsOf(id)).toSorted()).toEqual(["extend", "resume", "suspend"])
  })

  test("services are listed by their end, the last first, without those that have none", async () => {
    const ids = [await running(), await running(), await running()]
    await shop.operator.extendService(ids[0] ?? "", { days: 9, reason, at })
    await shop.ctx.db
      .updateTable("services")
      .set({ paid_until: null })
      .where("id", "=", ids[2] ?? "")
      .execute()
    const listed = await shop.operator.services({ by: "ending", limit: 1_000 })
    const places = ids.map((id) => listed.findIndex((it) => it.id === id))
    expect(places[2]).toBe(-1)
    expect(places[0]).toBeLessThan(places[1] ?? -1)
    const until = listed[0]?.paidUntil ?? 0
    const earlier = await shop.operator.services({ by: "ending", limit: 1_000, until })
    expect(earlier.map(({ id }) => id)).not.toContain(listed[0]?.id)
    const [first] = await shop.operator.services({ by: "created", limit: 1, status: "Active" })
    expect(first).toMatchObject({ status: "Active" })
  })

  test("the connections of a running service are set, and the panel is told", async () => {
    const id = await running()
    const change = { connections: 4, reason, at }
    expect(await shop.operator.setConnections(id, change)).toBe(true)
    expect(await shop.operator.setConnections(id, change)).toBe(false)
    const { service, jobs, events } = await shown(id)
    expect(service.connections).toBe(4)
    expect(jobs.map(({ topic }) => topic)).toContain("connections")
    expect(events.at(-1)).toMatchObject({ kind: "connections", detail: { connections: 4, reason } })
    await shop.operator.terminateService(id, { owner: "operator", reason, at })
    expect(await shop.operator.setConnections(id, { ...change, connections: 2 })).toBe(false)
  })

  test.each(["days", "connections"] as const)(
    "of two operators who change the %s at once one is refused",
    async (what) => {
      const id = await running()
      const { paidUntil: endBefore, connections: connectionsBefore } = (await shown(id)).service
      const { operator } = shop
      const change = (by: number) =>
        what === "days"
          ? operator.extendService(id, { days: by, endBefore, reason, at })
          : operator.setConnections(id, {
              connections: connectionsBefore + by,
              connectionsBefore,
              reason,
              at,
            })
      const outcomes = await Promise.allSettled([change(2), change(3)])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
      expect(
        (await shown(id)).events.filter(({ kind }) => kind === "extended" || kind === "connections").length,
      ).toBe(1)
    },
  )

  describe("a campaign", () => {
    const request: CampaignRequest = { days: 2, productId: null, activeAt: outage, reason }
    const campaignOf = (changes: Partial<CampaignRequest> = {}) => ({
      ...request,
      reason: unique(),
      ...changes,
    })

    test("extends each service once, however often it is repeated, and is undone as one", async () => {
      const ids = await Promise.all(Array.from({ length: 120 }, () => running()))
      const before = await endOf(ids[0] ?? "")
      const given = campaignOf()
      const { waiting } = await shop.operator.countCampaign(given)
      expect(waiting).toBeGreaterThanOrEqual(120)
      const first = await shop.operator.runCampaign(given, at)
      expect(first.services).toHaveLength(waiting)
      expect(await shop.operator.runCampaign(given, at)).toEqual({ id: first.id, services: [] })
      expect(await endOf(ids[0] ?? "")).toBe((before ?? 0) + 2 * DAY)
      expect(await topicsOf(ids[119] ?? "")).toEqual(["extend"])

      expect(await shop.operator.undoCampaign(first.id, at + HOUR)).toEqual({ services: waiting, mails: 0 })
      expect(await shop.operator.undoCampaign(first.id, at + HOUR)).toEqual({ services: 0, mails: 0 })
      expect(await endOf(ids[0] ?? "")).toBe(before)
      expect((await shop.operator.runCampaign(given, at)).id).not.toBe(first.id)
    })

    test("run twice at once by two operators extends each service once", async () => {
      const id = await running()
      const before = (await endOf(id)) ?? 0
      const given = campaignOf()
      const runs = await Promise.all([1, 2].map(() => shop.operator.runCampaign(given, at)))
      expect(new Set(runs.map((run) => run.id)).size).toBe(1)
      expect(await endOf(id)).toBe(before + 2 * DAY)
    })

    test.each<[string, Partial<ServiceRow>, (id: string) => Promise<unknown>]>([
      ["bought afterwards", { created_at: outage + 1 }, async () => {}],
      ["suspended at the time", {}, (id) => suspendAt(id, outage - DAY)],
      ["suspended for fraud since", {}, (id) => suspendAt(id, outage + HOUR, "fraud")],
      [
        "terminated since",
        {},
        (id) => shop.operator.terminateService(id, { ...operator, at: outage + HOUR }),
      ],
      ["of another product", { product_id: "another" }, async () => {}],
    ])("leaves out a service %s", async (_, changes, prepare) => {
      const id = await running(changes)
      await prepare(id)
      const before = await endOf(id)
      await shop.operator.runCampaign(campaignOf({ productId: catalogueFixture.products[0]?.id ?? null }), at)
      expect(await endOf(id)).toBe(before)
    })

    test("extends a service that was suspended for non-payment since, and one that was suspended only before", async () => {
      const [since, before] = [await running(), await running()]
      await suspendAt(since, outage + HOUR, "non-payment")
      await suspendAt(before, outage - 2 * DAY)
      await shop.operator.resumeService(before, { owners: ["operator"], reason: null, at: outage - DAY })
      const { services } = await shop.operator.runCampaign(campaignOf(), at)
      expect(services).toEqual(expect.arrayContaining([since, before]))
    })

    test("extends a service that the billing API had ended and set up again before", async () => {
      const id = await running()
      const { orderId } = (await shown(id)).service
      await shop.billing.applyOrderEvent(orderId, "paid", began)
      await shop.billing.activateService(id, { host: "https://tv.test" }, began)
      const credentials = { username: unique(), password: "1" }
      await shop.billing.markTerminated(id, outage - 2 * DAY)
      expect(await shop.billing.reactivateService(id, credentials, outage - DAY)).toBe(true)
      await shop.billing.activateService(id, { host: "https://tv.test" }, outage - DAY)
      const { services } = await shop.operator.runCampaign(campaignOf(), at)
      expect(services).toContain(id)
    })

    test("that is undone takes no day of a term that began later", async () => {
      const id = await running()
      const { id: campaign } = await shop.operator.runCampaign(campaignOf(), at)
      const anchor = at + 60 * DAY
      await inTransaction(shop.ctx, (tx) =>
        extendTerm(tx, id, { cycles: 1, anchor, at: anchor, event: { kind: "renewed" } }),
      )
      const renewed = await endOf(id)
      await shop.operator.undoCampaign(campaign, anchor + DAY)
      expect(await endOf(id)).toBe(renewed)
    })

    const suspendAt = (id: string, when: Instant, owner: SuspensionOwner = "operator") =>
      shop.operator.suspendService(id, { owner, reason: null, at: when })
  })
})
