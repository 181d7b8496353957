import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { NewOrder } from "~/billing/orders/new-order"
import type { Promotion } from "~/domain/catalogue/promotion"
import {
  type CatalogueFixture,
  catalogueFixture,
  catalogueForImport,
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

const seven: Promotion = { ...promotions.half, code: "SEVEN", remainingUses: 7 }
const twice: Promotion = { ...promotions.half, code: "TWICE", usesPerPerson: 2 }
const yearly: Promotion = { ...promotions.half, code: "YEARLY", cycles: ["annually", "biennially"] }

describe.each(engines)("limits of promotions on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    const offered = { ...catalogueFixture, promotions: [seven, twice, yearly] }
    backend = await createEmbeddedBilling(database.url, offered)
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  /** Outcomes of orders that are placed at once: how many were, and why the others were not. */
  async function atOnce(requests: readonly NewOrder[]) {
    const outcomes = await Promise.allSettled(requests.map((it) => backend.billing.placeOrder(it)))
    const refused = outcomes.filter((it) => it.status === "rejected")
    return {
      placed: outcomes.length - refused.length,
      reasons: [...new Set(refused.map(({ reason }) => reason.reason))],
    }
  }
  const stored = async () => (await backend.operator.orders({ limit: 100 })).length

  test("of 50 buyers at once with a code for seven, seven get it and nothing is stored of the others", async () => {
    const requests: NewOrder[] = []
    for (let nth = 0; nth < 50; nth++) requests.push(await newOrderInput(backend.billing, {}, seven))
    expect(await atOnce(requests)).toEqual({ placed: 7, reasons: ["used-up"] })
    expect(await backend.billing.promotion("SEVEN")).toMatchObject({ remainingUses: 0 })
    expect([await stored(), await backend.billing.promotionUses("SEVEN")]).toEqual([7, 7])
  })

  test("a customer who sends ten orders at once with a code for two of each person gets two, another one too", async () => {
    const { customerId } = await newOrderInput(backend.billing)
    const requests: NewOrder[] = []
    for (let nth = 0; nth < 10; nth++)
      requests.push(await newOrderInput(backend.billing, { customerId }, twice))
    expect(await atOnce(requests)).toEqual({ placed: 2, reasons: ["used-by-person"] })
    expect(await backend.billing.promotionUsesBy(customerId, " twice")).toBe(2)
    expect([await stored(), await backend.billing.promotionUses("TWICE")]).toEqual([2, 2])
    expect(await placed(backend, {}, twice)).toMatchObject({ status: "placed" })
  })

  test("an order that came to nothing gives its use back to its customer", async () => {
    const first = await placed(backend, {}, twice)
    const { customerId } = first
    await placed(backend, { customerId }, twice)
    await backend.billing.applyOrderEvent(first.id, "aborted", NOON)
    await placed(backend, { customerId }, twice)
    await expect(placed(backend, { customerId }, twice)).rejects.toMatchObject({ reason: "used-by-person" })
  })

  test("an order that was priced before its code was switched off is not placed with it", async () => {
    const request = await newOrderInput(backend.billing, {}, twice)
    await backend.promotions?.switchOff("TWICE", NOON)
    expect(await atOnce([request])).toEqual({ placed: 0, reasons: ["used-up"] })
    await backend.promotions?.switchOn("TWICE")
    expect(await atOnce([request])).toEqual({ placed: 1, reasons: [] })
  })

  test.each(["the catalogue file", "the console"] as const)(
    "a promotion that was deleted and comes again by %s has the uses that orders have made of it",
    async (way) => {
      const fixture = { ...catalogueFixture, promotions: [seven, twice] }
      const [first, second] = [await placed(backend, {}, twice), await placed(backend, {}, twice)]
      await placed(backend, { customerId: second.customerId }, twice)
      await backend.operator.importCatalogue(catalogueForImport({ ...fixture, promotions: [seven] }))
      // Its use comes back while there is no promotion.
      await backend.billing.applyOrderEvent(first.id, "aborted", NOON)
      await back[way](fixture)
      expect(await backend.billing.promotionUses("TWICE")).toBe(2)
      await backend.billing.applyOrderEvent(second.id, "aborted", NOON)
      expect(await backend.billing.promotionUses("TWICE")).toBe(1)
    },
  )

  const back = {
    "the catalogue file": (fixture: CatalogueFixture) =>
      backend.operator.importCatalogue(catalogueForImport(fixture)),
    "the console": () =>
      backend.promotions?.addPromotion({
        code: "twice",
        appliesto: "7",
        type: "Percentage",
        value: "50",
        maxuses: 0,
        renewals: 0,
        cycles: [],
        maxusesperperson: 2,
      }),
  }

  test("a catalogue file keeps billing cycles and uses per person", async () => {
    const { promotions: listed } = await backend.operator.exportCatalogue()
    expect(listed).toMatchObject([{}, { usesPerPerson: 2 }, { cycles: ["annually", "biennially"] }])
    await backend.operator.importCatalogue(
      catalogueForImport({ ...catalogueFixture, promotions: [{ ...twice, usesPerPerson: 3 }] }),
    )
    expect(await backend.billing.promotion("TWICE")).toMatchObject({ usesPerPerson: 3 })
  })
})
