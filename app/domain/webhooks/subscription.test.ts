import { expect, test } from "vitest"
import { isSubscribed, subscriptionsIn } from "./subscription"

test("a list has types, all types of an object, or all", () => {
  expect(subscriptionsIn("order.paid, service.* ,order.paid")).toEqual(["order.paid", "service.*"])
  expect(subscriptionsIn("*")).toEqual(["*"])
})

test("what another subscription covers is left out", () => {
  expect(subscriptionsIn("order.paid,order.*,gateway.up")).toEqual(["order.*", "gateway.up"])
  expect(subscriptionsIn("order.*,*,gateway.up")).toEqual(["*"])
})

test.each(["", ",", "order", "order.payed", "orders.*", "*.*", "order.*.x"])("%j is refused", (text) => {
  expect(subscriptionsIn(text)).toBeNull()
})

test("an endpoint gets the types that it subscribes to", () => {
  expect(isSubscribed(["order.*"], "order.paid")).toBe(true)
  expect(isSubscribed(["*"], "gateway.up")).toBe(true)
  expect(isSubscribed(["order.paid"], "order.placed")).toBe(false)
  expect(isSubscribed(["order.*"], "payment.received")).toBe(false)
})
