import { expect, test } from "vitest"
import type { OrderKind } from "./order"
import type { OrderStatus, Screen } from "./order-status"
import { type Journey, journeyOf, pathFor, pathOf } from "./screen-paths"

test("viewers and resellers have separate paths, except for creatingOrder", () => {
  expect(pathOf).toEqual({
    viewer: { checkout: "/", creatingOrder: "/creatingOrder", waiting: "/waiting", success: "/success" },
    reseller: {
      checkout: "/resellers",
      creatingOrder: "/creatingOrder",
      waiting: "/resellers/waiting",
      success: "/resellers/success",
    },
  })
})

test.each<[OrderKind, Journey]>([
  ["plan", "viewer"],
  ["upsell", "viewer"],
  ["line", "viewer"],
  ["reseller", "reseller"],
])("an order of kind %s belongs to the %s journey", (kind, journey) => {
  expect(journeyOf(kind)).toBe(journey)
})

test.each<[Screen, Journey, [OrderStatus, OrderKind] | null, string | null]>([
  ["checkout", "viewer", null, null],
  ["creatingOrder", "viewer", null, null],
  ["waiting", "viewer", null, "/"],
  ["success", "reseller", null, "/resellers"],
  ["checkout", "viewer", ["awaiting-payment", "plan"], "/waiting"],
  ["waiting", "viewer", ["awaiting-payment", "plan"], null],
  ["waiting", "viewer", ["awaiting-payment", "reseller"], "/resellers/waiting"],
  ["waiting", "reseller", ["awaiting-payment", "reseller"], null],
  ["waiting", "reseller", ["awaiting-payment", "plan"], "/waiting"],
  ["creatingOrder", "viewer", ["placed", "reseller"], null],
  ["creatingOrder", "reseller", ["placed", "plan"], null],
  ["checkout", "reseller", ["placed", "plan"], "/creatingOrder"],
  ["success", "viewer", ["paid", "upsell"], null],
  ["success", "viewer", ["paid", "reseller"], "/resellers/success"],
  ["checkout", "viewer", ["active", "reseller"], null],
  ["checkout", "reseller", ["active", "plan"], null],
  ["waiting", "viewer", ["cancelled", "plan"], "/"],
  ["waiting", "reseller", ["cancelled", "plan"], "/resellers"],
])("redirects from %s in the %s journey with the order %j to: %s", (screen, journey, order, path) => {
  const [status, kind] = order ?? []
  expect(pathFor({ screen, journey }, status && kind ? { status, kind } : null)).toBe(path)
})
