import { expect, test } from "vitest"
import { ProductShape } from "./product-schema"
import { isForCycleOf, productsNamed, promotionOf } from "./promotion-mapping"
import { PromotionShape } from "./promotion-schema"

const whmcsPromotion = {
  code: "SUMMER",
  type: "Percentage",
  value: "12.50",
  cycles: "",
  appliesto: "1,2,A1,D.com",
  requires: "",
  requiresexisting: 0,
  startdate: "0000-00-00",
  expirationdate: "2026-12-31",
  maxuses: "0",
  uses: "4",
}
const promotion = (changes: object = {}) => PromotionShape.parse({ ...whmcsPromotion, ...changes })
const mapped = (changes: object = {}) => {
  const read = promotion(changes)
  return promotionOf(read, productsNamed(read), "EUR")
}

test("maps a percentage promotion with exact basis points, product ids, end date and unlimited uses", () => {
  expect(mapped()).toEqual({
    code: "SUMMER",
    productIds: ["1", "2"],
    startsOn: null,
    endsOn: "2026-12-31",
    discount: { kind: "percentage", basisPoints: 1_250 },
    maxUses: null,
    uses: 4,
    releasesUses: false,
  })
})

test.each(["Fixed Amount", "fixedamount", "FIXED_AMOUNT"])(
  "maps the type %j to a fixed discount in the installation's default currency",
  (type) => {
    expect(mapped({ type, value: "3.00", maxuses: 5 })).toMatchObject({
      discount: { kind: "fixed", amount: { minor: 300, currency: "EUR" } },
      maxUses: 5,
    })
  },
)

test.each([[{ type: "Price Override" }], [{ type: "Free Setup" }], [{ requires: "7" }], [{ value: "?" }]])(
  "maps an unsupported promotion, %j, to no products",
  (changes) => {
    expect(mapped(changes).productIds).toEqual([])
  },
)

test("applies a promotion with cycles only to products that are sold in one of them", () => {
  const product = (changes: object) =>
    ProductShape.parse({ pid: 1, gid: 1, name: "P", paytype: "recurring", ...changes })
  const yearly = product({ pricing: { EUR: { monthly: "-1.00", annually: "59.00" } } })
  const both = product({ pricing: { EUR: { monthly: "9.00", annually: "59.00" } } })
  const once = product({ paytype: "onetime", pricing: { EUR: { monthly: "9.00" } } })
  const annual = promotion({ cycles: "Annually,One Time" })
  expect([yearly, both, once].map((it) => isForCycleOf(annual, it))).toEqual([true, false, true])
  expect(isForCycleOf(promotion({ cycles: "Semi-Annually" }), yearly)).toBe(false)
  expect(isForCycleOf(promotion(), both)).toBe(true)
})
