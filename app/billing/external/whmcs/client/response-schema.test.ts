import { expect, test } from "vitest"
import { z } from "zod"
import { Amount, Flag, Id, listOf, listResponse, MaybeId, Text, Whole } from "./response-schema"
import { unflattened } from "./unflatten"

const Products = z.object({ products: listOf("product", z.object({ id: Id })) })
const idsIn = (products: unknown) => Products.parse({ products }).products.map(({ id }) => id)

const [one, two] = [{ id: "1" }, { id: 2 }]

test.each<[string, unknown, string[]]>([
  ["an array", { product: [one, two] }, ["1", "2"]],
  ["numeric keys", { product: { "0": one, "1": two } }, ["1", "2"]],
  ["numeric keys beyond nine", { product: Object.fromEntries(twelve()) }, twelve().map(([, { id }]) => id)],
  ["one bare item", { product: one }, ["1"]],
  ["a flat array", [one, two], ["1", "2"]],
  ["numeric keys without a singular", { "0": one, "1": two }, ["1", "2"]],
  ["an empty array", { product: [] }, []],
  ["an empty object", { product: {} }, []],
  ["empty text", { product: "" }, []],
  ["null", { product: null }, []],
  ["an empty object as the plural", {}, []],
  ["empty text as the plural", "", []],
  ["an empty array as the plural", [], []],
  ["null as the plural", null, []],
])("listOf parses a list that arrives as %s", (_, products, ids) => {
  expect(idsIn(products)).toEqual(ids)
})

test("listOf returns an empty list if the plural key is missing", () => {
  expect(Products.parse({})).toEqual({ products: [] })
})

test.each([[{ product: "none" }], [{ product: [7] }], [{ product: [{ id: "x" }] }]])(
  "listOf rejects a list with invalid items, %j",
  (products) => {
    expect(Products.safeParse({ products }).success).toBe(false)
  },
)

test("unflattened converts flattened keys to a list and ignores __proto__", () => {
  const body = {
    result: "success",
    "products[product][0][id]": "1",
    "products[product][1][id]": 2,
    "products[__proto__][x]": "1",
  }
  expect(Products.parse(unflattened(body)).products).toEqual([{ id: "1" }, { id: "2" }])
  expect("x" in {}).toBe(false)
})

test.each([
  ["25.99", 2_599],
  ["0.00", 0],
  ["-1.00", -100],
  [59.9, 5_990],
  [12, 1_200],
  ["1.00000", 100],
  ["", null],
  [null, null],
  [undefined, null],
  ["1.005", null],
  ["1,000.00", null],
])("Amount parses %j as %j minor units", (value, minor) => {
  expect(Amount.parse(value)).toBe(minor)
})

const Orders = listResponse("orders", "order", Id)

test.each([
  ["an empty list", { orders: "" }],
  ["a list without its inner list", { totalresults: "0", orders: {} }],
  ["a count of zero without a list", { totalresults: "0", startnumber: 0 }],
  ["no item on a page, without a list", { numreturned: 0 }],
])("a response with %s has no items", (_, response) => {
  expect(Orders.parse({ result: "success", ...response })).toEqual([])
})

test.each([
  ["of another call", { result: "success", products: { product: [] } }],
  ["with a count, but without its list", { result: "success", totalresults: "2" }],
  ["with nothing but its success", { result: "success" }],
  ["that is no object", []],
])("a response %s is not read as an empty list", (_, response) => {
  expect(Orders.safeParse(response).success).toBe(false)
})

test.each([1, "1", true, "true", "on", "Yes"])("Flag parses %j as true", (value) => {
  expect(Flag.parse(value)).toBe(true)
})

test.each([0, "0", false, "false", "off", "", null, undefined])("Flag parses %j as false", (value) => {
  expect(Flag.parse(value)).toBe(false)
})

test("Id and MaybeId accept digits; only MaybeId accepts an empty value", () => {
  expect(["7", 7, " 7 "].map((it) => Id.parse(it))).toEqual(["7", "7", "7"])
  expect(["0", 0, "", null, undefined].map((it) => MaybeId.parse(it))).toEqual(Array(5).fill(null))
  expect([0, "", null, "x7", "7; DROP"].map((it) => Id.safeParse(it).success)).toEqual(Array(5).fill(false))
})

test("Whole and Text accept both numbers and strings", () => {
  expect(["12", 12, "", null].map((it) => Whole.parse(it))).toEqual([12, 12, null, null])
  expect([" a ", 7, null, false, undefined].map((it) => Text.parse(it))).toEqual(["a", "7", "", "", ""])
})

function twelve(): [string, { id: string }][] {
  return Array.from({ length: 12 }, (_, index) => [String(index), { id: String(index + 1) }])
}
