import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { documentPolicy as documents } from "../../../../tests/fixtures/document-policy"
import { buyerIn, importOddPrices } from "../../../../tests/fixtures/kinds-of-sale"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("further credits on %s", (engine) => {
  let opened: ShopOnEngine
  beforeEach(async () => {
    opened = await openShopOn(engine, { tax: germanTax, documents })
    await importOddPrices(opened.database)
  })
  afterEach(() => opened.close())

  test("whose account has ended before the payment are no sale: account credit, without an invoice", async () => {
    const { shop } = opened
    const { operator, documents: issued, billing } = shop.billing
    const by = buyerIn(shop, { email: "ana@example.test", buyer: { named: "DE", located: "DE" } })
    const first = await by.pay(await by.resellerPlan())
    const [added, late] = [await by.resellerPlan(), await by.resellerPlan()]
    expect([added, late].map(({ kind }) => kind)).toEqual(["reseller-credits", "reseller-credits"])
    await by.pay(added)
    const at = shop.services.now()
    await operator.terminateService(first.serviceId, { owner: "operator", reason: "abuse", at })
    expect((await by.pay(late)).status).toBe("active")
    expect(await shop.services.payments.accountCredit(late.customerId, "EUR")).toEqual(late.total)
    expect((await billing.timeline(late.id)).map(({ kind }) => kind)).toContain("part-credited")
    const invoices = async (id: string) => (await issued.taxDocumentsOf(id)).map(({ kind }) => kind)
    expect(await invoices(added.id)).toEqual(["invoice"])
    expect(await invoices(late.id)).toEqual([])
    expect(await operator.diagnose(at)).toContainEqual(
      expect.objectContaining({ check: "invoices and credit notes", ok: true }),
    )
    expect(await operator.jobs()).toEqual([])
  })
})
