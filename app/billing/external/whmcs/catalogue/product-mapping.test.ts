import { expect, test } from "vitest"
import { changeFor, countIn, valueFor } from "./option-values"
import { productOf } from "./product-mapping"
import { ProductShape } from "./product-schema"

const none = { monthly: "-1.00", quarterly: "-1.00", semiannually: "-1.00", biennially: "-1.00" }
const whmcsProduct = {
  pid: "3",
  gid: 2,
  name: "12 months",
  module: "xui",
  paytype: "recurring",
  pricing: { EUR: { ...none, annually: "59.00", triennially: "0.00", msetupfee: "0.00" }, CHF: none },
  customfields: { customfield: { id: 11, name: "Username|Your name" } },
  configoptions: {
    configoption: {
      "0": { id: 2, name: "Extra connection", type: "4", minqty: 0, maxqty: 10, options: choices() },
      "1": { id: "4", name: "proxy|Proxy protection", type: 1, options: list() },
    },
  },
}
const product = (changes: object = {}) => ProductShape.parse({ ...whmcsProduct, ...changes })
const plan = { kind: "plan", resellerCredits: new Map() } as const

test("offers a product in its priced cycles, including free ones, and only in supported currencies", () => {
  expect(productOf(product(), plan)).toMatchObject({
    id: "3",
    kind: "plan",
    name: "12 months",
    payType: "recurring",
    pricing: { EUR: { annually: 5_900, triennially: 0 } },
    customFields: [{ id: "11", name: "Your name" }],
  })
})

test("reads the price of a one-time product from the monthly column and ignores the other cycles", () => {
  const pricing = { EUR: { monthly: "99.00", annually: "59.00" } }
  expect(productOf(product({ paytype: "onetime", pricing }), plan)).toMatchObject({
    payType: "onetime",
    pricing: { EUR: { monthly: 9_900 } },
  })
})

test("maps a free product to price 0 in every listed currency", () => {
  const free = productOf(product({ paytype: "free", pricing: { EUR: none } }), plan)
  expect([free.payType, free.pricing]).toEqual(["onetime", { EUR: { monthly: 0 } }])
})

test("maps a product without prices to an empty price table", () => {
  expect(productOf(product({ pricing: "" }), plan).pricing).toEqual({})
})

test("gives a reseller plan its configured credits, or none without a setting", () => {
  expect(productOf(product(), { kind: "reseller", resellerCredits: new Map([["3", 25]]) }).credits).toBe(25)
  expect(productOf(product(), { kind: "reseller", resellerCredits: new Map() })).not.toHaveProperty("credits")
})

test("omits the free choice of a list and strips panel values from option names", () => {
  const [extra, proxy] = productOf(product(), plan).options
  expect(extra).toEqual({
    id: "2",
    name: "Extra connection",
    choices: [{ id: "7", name: "Yes", pricing: { EUR: { annually: 1_990 } } }],
  })
  expect(proxy).toMatchObject({
    name: "Proxy protection",
    choices: [
      { id: "42", name: "With" },
      { id: "43", name: "3 of them" },
    ],
  })
})

test("encodes a count for each option type, or returns null if the option has no value for it", () => {
  const [quantity, list] = product().configoptions
  if (!quantity || !list) throw new Error("Options not found")
  const yesno = { ...quantity, type: "yesno" as const }
  expect([valueFor(quantity, 3), valueFor(quantity, 11)]).toEqual(["3", null])
  expect([valueFor(yesno, 1), valueFor(yesno, 2)]).toEqual(["1", null])
  expect([valueFor(list, 1, "42"), valueFor(list, 3), valueFor(list, 4)]).toEqual(["42", "43", null])
  expect(changeFor(list, "42")).toBe(42)
  expect(changeFor(quantity, "2")).toEqual(new Map(Object.entries({ optionid: 7, qty: 2 })))
})

test.each([
  ["2", 2],
  ["0", 0],
  ["", 0],
  ["No", 0],
  ["Yes", 1],
  ["3|3 more", 3],
  ["With", 1],
])("countIn parses the option value %j as %i", (value, count) => {
  expect(countIn(value)).toBe(count)
})

function choices() {
  return { option: [{ id: 7, name: "Yes", pricing: { EUR: { annually: "19.90" } } }] }
}

function list() {
  const priced = (annually: string) => ({ EUR: { annually } })
  return {
    option: [
      { id: 41, name: "Without", pricing: priced("0.00") },
      { id: 42, name: "p1|With", pricing: priced("5.00") },
      { id: 43, name: "3 of them", pricing: priced("9.00") },
    ],
  }
}
