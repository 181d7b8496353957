import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { BuyerPlace } from "~/domain/country"
import type { Service } from "~/domain/service"
import { buyerIn, importOddPrices, type TestBuyer } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"

const buyer: BuyerPlace = { named: "DE", located: "DE" }

describe.each(engines)("unused time on %s", (engine) => {
  let opened: ShopOnEngine
  let by: TestBuyer
  beforeEach(async () => {
    opened = await openShopOn(engine)
    await importOddPrices(opened.database)
    by = buyerIn(opened.shop, { email: "ana@example.test", buyer })
  })
  afterEach(() => opened.close())

  /** Value of the time of a service as if none of it were over, in minor units. */
  async function worth({ id }: Service): Promise<number | undefined> {
    const { term } = await by.found(id)
    return (await opened.shop.billing.billing.planFacts(id, term?.anchor ?? 0))?.unused.minor
  }

  test("is worth what was paid for its service, where another one of the renewal became account credit", async () => {
    const [credited, renewed] = [await by.service(), await by.service({ plan: "2" })]
    const renewal = await by.renewal(credited, renewed)
    await by.pay(await by.connections(credited, 1))
    await by.pay(renewal)
    expect(await worth(renewed)).toBe(2 * 1_999)
    expect(await worth(credited)).toBe(1_001 + 203)
  })
})
