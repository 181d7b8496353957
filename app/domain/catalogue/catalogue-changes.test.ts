import { expect, test } from "vitest"
import type { ConfigOption, Product } from "./catalogue"
import { catalogueChanges } from "./catalogue-changes"

const option: ConfigOption = {
  id: "1",
  name: "Extra connection",
  choices: [{ id: "1", name: "One", pricing: { EUR: { monthly: 300 } } }],
}
const month: Product = {
  id: "1",
  kind: "plan",
  name: "Month",
  payType: "recurring",
  pricing: { EUR: { monthly: 1_200 } },
  options: [option],
  customFields: [],
}
const year: Product = { ...month, id: "3", name: "Year", pricing: { EUR: { annually: 9_900 } } }

test("products that are as they were have no changes", () => {
  expect(catalogueChanges([month, year], [{ ...month }, { ...year }])).toEqual([])
})

test.each<[string, readonly Product[], readonly string[]]>([
  [
    "a price that is raised, and one that is sold no more",
    [
      { ...month, pricing: { EUR: { monthly: 1_300 } } },
      { ...year, pricing: { EUR: {} } },
    ],
    [
      "Product 1 (Month): price EUR monthly 12.00 → 13.00",
      "Product 3 (Year): price EUR annually 99.00 → not sold",
    ],
  ],
  ["a product that is gone", [month], ["Product 3 (Year) removed"]],
  [
    "a new product",
    [month, year, { ...year, id: "4", name: "Big", pricing: { GBP: { annually: 100 } } }],
    ["Product 4 (Big) added: GBP annually 1.00"],
  ],
  ["another name", [{ ...month, name: "30 days" }, year], ["Product 1 (Month) renamed: 30 days"]],
  ["another order", [year, month], ["Order of the products: 1, 3 → 3, 1"]],
  [
    "terms",
    [{ ...month, renewalPrice: "current", graceDays: 5, trialHours: 24, isHidden: true, options: [] }, year],
    [
      "Product 1 (Month): renewal price kept → current",
      "Product 1 (Month): grace days the shop's → 5",
      "Product 1 (Month): trial hours none → 24",
      "Product 1 (Month): offered to new buyers yes → no",
      "Product 1 (Month): options 1 → none",
    ],
  ],
])("says of %s what it was and what it is", (_, after, changes) => {
  expect(catalogueChanges([month, year], after)).toEqual(changes)
})

test("says once what is different in an option that several products have", () => {
  const dearer = {
    ...option,
    name: "Second device",
    choices: [
      { id: "1", name: "One", pricing: { EUR: { monthly: 400 } } },
      { id: "2", name: "Two", pricing: {} },
    ],
  }
  const after = [month, year].map((it) => ({ ...it, options: [dearer] }))
  expect(catalogueChanges([month, year], after)).toEqual([
    "Option 1 (Extra connection) renamed: Second device",
    "Option 1 (Second device): choice 2 (Two) added: no price",
    "Option 1 (Second device): choice 1 (One): price EUR monthly 3.00 → 4.00",
  ])
})
