import fc from "fast-check"
import { expect, test } from "vitest"
import { productOf, ProductList as RemoteProducts } from "~/billing/external/remote/product-schema"
import { PromotionsResponse, promotionOf } from "~/billing/external/remote/promotion-schema"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { Product } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"
import { currencies, money } from "~/domain/money/money"
import { Amount, Flag, Id, ReturnUrl } from "./field-types"
import { accessFieldIds, fieldsOf, ProductListSchema, toProductList } from "./products"
import { Promotions, promotionsOf } from "./promotions"

test.each([
  [Amount, "12.50", "12.50"],
  [Amount, 12.5, "12.5"],
  [Amount, " 12 ", "12"],
  [Id, 7, "7"],
  [Id, " abc-1_2 ", "abc-1_2"],
  [Flag, true, true],
  [Flag, "on", true],
  [Flag, "1", true],
  [Flag, "false", false],
  [Flag, 0, false],
  [ReturnUrl, "http://127.0.0.1:3000/waiting", "http://127.0.0.1:3000/waiting"],
])("%#: parses a parameter from a query and from JSON alike", (shape, input, read) => {
  expect(shape.parse(input)).toBe(read)
})

test.each([
  [Amount, "12,50"],
  [Amount, "-1.00"],
  [Amount, "1e3"],
  [Amount, "12.505"],
  [Amount, "1 2"],
  [Id, "a b"],
  [Id, "../etc"],
  [Id, "x".repeat(65)],
  [ReturnUrl, "ftp://shop.example.test/"],
  [ReturnUrl, "//shop.example.test/"],
])("%#: rejects an invalid parameter", (shape, input) => {
  expect(shape.safeParse(input).success).toBe(false)
})

const id = fc.stringMatching(/^[1-9]\d{0,5}$/)
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{0,18}[A-Za-z0-9]$/)
const pricing = fc
  .dictionary(
    fc.constantFrom(...currencies),
    fc.dictionary(fc.constantFrom(...cycles), fc.nat(9_999_999), { minKeys: 1 }),
  )
  .map((table) => ({ ...table }))
const choice = fc.record({ id, name, pricing })
const option = fc.record({ id, name, choices: fc.array(choice, { maxLength: 3 }) })
const product = fc.record({
  id,
  name,
  pricing,
  payType: fc.constantFrom("recurring" as const, "onetime" as const),
  options: fc.array(option, { maxLength: 3 }),
  customFields: fc.array(fc.record({ id, name })),
})

test("the remote billing adapter parses any served catalogue unchanged", () => {
  fc.assert(
    fc.property(fc.array(product), fc.nat(500), (listed, credits) => {
      const plans = listed.map((it): Product => ({ ...it, kind: "plan" }))
      const resellers = listed.map((it): Product => ({ ...it, kind: "reseller", credits }))
      expect(readAgain(plans)).toEqual(plans)
      expect(readAgain(resellers)).toEqual(resellers)
    }),
  )
})

function readAgain(products: readonly Product[]): Product[] {
  const result: unknown = JSON.parse(JSON.stringify(ProductListSchema.parse(toProductList(products))))
  return RemoteProducts.parse(result).map((goods, at) =>
    productOf(goods, products[at]?.kind ?? "plan", goods.credits),
  )
}

const sale: Promotion = {
  code: "Half",
  productIds: ["7", "8"],
  startsOn: "2026-01-01",
  endsOn: "2026-12-31",
  remainingUses: 3,
  discount: { kind: "percentage", basisPoints: 1_250 },
}

test.each<[string, Promotion, number]>([
  ["a percentage", sale, 2],
  ["a fixed amount", { ...sale, discount: { kind: "fixed", amount: money(305, "GBP") } }, 0],
  ["no start and end", { ...sale, startsOn: null, endsOn: null }, 0],
  ["unlimited uses", { ...sale, remainingUses: null }, 12],
  ["no uses left", { ...sale, remainingUses: 0 }, 5],
  ["a limit of zero uses", { ...sale, remainingUses: 0 }, 0],
  ["no products", { ...sale, productIds: [] }, 0],
])("the remote billing adapter parses a served promotion with %s unchanged", (_, promotion, uses) => {
  const result: unknown = JSON.parse(JSON.stringify(Promotions.parse(promotionsOf(promotion, uses))))
  const [only] = PromotionsResponse.parse(result).promotions
  const read = only && promotionOf(only, "EUR")
  const { remainingUses, ...rest } = promotion
  expect(read).toMatchObject(rest)
  expect(read?.maxUses == null ? null : read.maxUses - read.uses).toBe(remainingUses)
})

test("serves an unknown promo code as an empty list", () => {
  expect(promotionsOf(null, 0)).toMatchObject({ totalresults: 0, promotions: { promotion: [] } })
})

test("adds default credential fields to products without them", () => {
  const username = { id: "11", name: "Username" }
  expect(accessFieldIds({ customFields: [username] })).toEqual({ username: "11", password: "password" })
  expect(fieldsOf({ customFields: [] })).toMatchObject({ Username: "username", Password: "password" })
})
