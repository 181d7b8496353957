import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { NewOrder } from "~/billing/orders/new-order"
import { DAY } from "~/domain/calendar"
import type { Promotion } from "~/domain/catalogue/promotion"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"

const CODE = "GIFT-2345-6789-ABCD"
const OTHER = "GIFT-ZZZZ-6789-ABCD"
const half: Promotion = { ...promotions.half, code: "SERIES", remainingUses: 3, usesPerPerson: 2 }
const gift: Promotion = { ...half, code: CODE }
const other: Promotion = { ...half, code: OTHER }

describe.each(engines)("one-time codes on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    backend = await createEmbeddedBilling(database.url, { ...catalogueFixture, promotions: [half] })
    expect(await backend.promotions?.addCodes("series", { codes: [CODE, OTHER], at: NOON })).toBe(true)
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  const left = async (code: string) => (await backend.billing.promotion(code))?.remainingUses
  const stateOf = async (code: string) =>
    (await backend.promotions?.codes("SERIES", { beginning: code, limit: 1 }))?.[0]?.state

  test("a code of a series stands for its promotion, in any spelling, with a single use", async () => {
    expect(await backend.billing.promotion(` ${CODE.toLowerCase()} `)).toEqual({ ...gift, remainingUses: 1 })
    expect(await backend.billing.promotion("GIFT-NONE")).toBeNull()
    expect(await backend.promotions?.addCodes("NOSUCH", { codes: ["X"], at: NOON })).toBe(false)
  })

  test("of 50 buyers at once with one code exactly one gets it, and nothing is stored of the others", async () => {
    const requests: NewOrder[] = []
    for (let nth = 0; nth < 50; nth++) requests.push(await newOrderInput(backend.billing, {}, gift))
    const outcomes = await Promise.allSettled(requests.map((it) => backend.billing.placeOrder(it)))
    const refused = outcomes.filter((it) => it.status === "rejected")
    expect([...new Set(refused.map(({ reason }) => reason.reason))]).toEqual(["used-up"])
    const [order, ...others] = await backend.operator.orders({ limit: 100 })
    expect([refused.length, others]).toEqual([49, []])
    expect(await backend.promotions?.codes("SERIES", { state: "used", limit: 9 })).toMatchObject([
      { code: CODE, orderId: order?.id, usedAt: order?.placedAt },
    ])
    expect([await left(CODE), await left(OTHER), await left("SERIES")]).toEqual([0, 1, 2])
    expect([await backend.billing.promotionUses(CODE), await backend.billing.promotionUses(OTHER)]).toEqual([
      1, 0,
    ])
  })

  test.each(["aborted", "deadlinePassed", "flagged"] as const)(
    "an order that is %s gives its code back, which is then good for another order",
    async (event) => {
      const first = await placed(backend, {}, gift)
      await backend.billing.applyOrderEvent(first.id, event, NOON)
      expect([await left(CODE), await left("SERIES"), await stateOf(CODE)]).toEqual([1, 3, "unused"])
      expect(await placed(backend, {}, gift)).toMatchObject({ status: "placed" })
    },
  )

  test("an order that is paid after it was cancelled takes its code again, unless another order has it by now", async () => {
    const late = await placed(backend, {}, gift)
    await backend.billing.applyOrderEvent(late.id, "aborted", NOON)
    await backend.billing.applyOrderEvent(late.id, "paid", NOON)
    expect([await left(CODE), await stateOf(CODE)]).toEqual([0, "used"])

    const slow = await placed(backend, {}, other)
    await backend.billing.applyOrderEvent(slow.id, "aborted", NOON)
    const quick = await placed(backend, {}, other)
    await backend.billing.applyOrderEvent(slow.id, "paid", NOON)
    expect(await backend.promotions?.codes("SERIES", { beginning: OTHER, limit: 9 })).toMatchObject([
      { orderId: quick.id },
    ])
    expect(await backend.billing.promotionUses("SERIES")).toBe(3)
  })

  test("an order on hold takes its code when it is released", async () => {
    const held = await placed(backend, { holdReason: "ip" }, gift)
    expect([held.status, await left(CODE)]).toEqual(["fraud", 1])
    const release = { at: NOON, deadline: NOON + DAY, reference: "owner", quoteHolds: true }
    await backend.billing.releaseOrder(held.id, release)
    expect([await left(CODE), await stateOf(CODE)]).toEqual([0, "used"])
  })

  test("the limit of the promotion holds for all its codes together, and so does the one per person", async () => {
    const { customerId } = await placed(backend, {}, half)
    await placed(backend, { customerId }, half)
    expect(await backend.billing.promotionUsesBy(customerId, CODE)).toBe(2)
    await expect(placed(backend, { customerId }, gift)).rejects.toMatchObject({ reason: "used-by-person" })
    await placed(backend, {}, other)
    expect([await left(CODE), await stateOf(CODE)]).toEqual([0, "unused"])
    await expect(placed(backend, {}, gift)).rejects.toMatchObject({ reason: "used-up" })
  })

  test("a code that was withdrawn after it was priced places no order; one that an order holds is not withdrawn", async () => {
    const request = await newOrderInput(backend.billing, {}, gift)
    const holder = await placed(backend, {}, other)
    expect(await backend.promotions?.withdrawCodes("SERIES", { beginning: "gift-", at: NOON })).toBe(1)
    await expect(backend.billing.placeOrder(request)).rejects.toMatchObject({ reason: "used-up" })
    expect(await backend.billing.promotion(CODE)).toMatchObject({ isOff: true })
    expect(await backend.promotions?.codeCounts("SERIES")).toEqual({ unused: 0, used: 1, withdrawn: 1 })
    expect(await backend.promotions?.codes("SERIES", { limit: 9 })).toMatchObject([
      { code: CODE, state: "withdrawn", withdrawnAt: NOON },
      { code: OTHER, state: "used", orderId: holder.id },
    ])
  })

  test("codes are listed by code, in pages, and by what they begin with", async () => {
    const listed = async (range: { beginning?: string; after?: string }) =>
      (await backend.promotions?.codes("SERIES", { ...range, limit: 9 }))?.map(({ code }) => code)
    expect(await listed({})).toEqual([CODE, OTHER])
    expect(await listed({ after: CODE })).toEqual([OTHER])
    expect(await listed({ beginning: "gift-z" })).toEqual([OTHER])
    await expect(backend.promotions?.addCodes("SERIES", { codes: ["NEW", CODE], at: NOON })).rejects.toThrow()
    expect(await listed({ beginning: "NEW" })).toEqual([])
  })

  test("no promotion gets a one-time code as its own", async () => {
    const fields = { code: CODE, appliesto: "", type: "Percentage", value: "10" }
    const limits = { maxuses: 0, maxusesperperson: 0, renewals: 0, cycles: [] }
    expect(await backend.promotions?.addPromotion({ ...fields, ...limits })).toEqual({ kind: "exists" })
  })
})
