import { expect, test } from "vitest"
import { money } from "./money"
import { refundedOf } from "./refunded-of-order"
import type { TimelineEvent, TimelineKind } from "./timeline"

const eur = (minor: number) => money(minor, "EUR")
const event = (kind: TimelineKind, minor: number | null): TimelineEvent => ({
  kind,
  at: 0,
  amount: minor === null ? null : eur(minor),
  reference: null,
})
const order = { kind: "plan", total: eur(10_00), received: eur(10_00), credited: eur(0) } as const

test("nothing was paid back of an order that has all it was paid with", () => {
  expect(refundedOf(order, [event("paid", 10_00)])).toBeNull()
})

test.each([
  [
    "a part that was paid back",
    { received: eur(7_00) },
    [event("paid", 10_00), event("refunded", -3_00)],
    3_00,
  ],
  ["no tolerance", { received: eur(6_95) }, [event("paid", 9_95), event("refunded", -3_00)], 3_00],
  ["no surplus", { received: eur(9_00) }, [event("paid", 12_00), event("refunded", -3_00)], 1_00],
  [
    "nothing that went back before the order was paid",
    { received: eur(8_00) },
    [event("partly-paid", 4_00), event("refunded", -2_00), event("paid", 8_00), event("refunded", -2_00)],
    2_00,
  ],
  [
    "of an order that was marked as paid, what was paid back since",
    { received: eur(2_00) },
    [
      event("partly-paid", 4_00),
      event("refunded", -2_00),
      event("paid", null),
      event("refunded-to-credit", -5_00),
    ],
    5_00,
  ],
  [
    "of account credit that was bought, what was taken back",
    { kind: "topup", received: eur(7_00), credited: eur(7_00) },
    [event("paid", 10_00), event("credit-added", 10_00), event("refunded", -3_00)],
    3_00,
  ],
] as const)("the refund of an order is %s", (_, changes, timeline, minor) => {
  expect(refundedOf({ ...order, ...changes }, timeline)).toEqual(eur(minor))
})

test("a part that went back before an order was paid, which has become account credit since, is no refund of it", () => {
  const credited = { ...order, credited: eur(10_00) }
  expect(
    refundedOf(credited, [event("partly-paid", 4_00), event("refunded", -2_00), event("paid", 8_00)]),
  ).toBeNull()
  const marked = { ...order, received: eur(2_00) }
  expect(
    refundedOf(marked, [event("partly-paid", 4_00), event("refunded", -2_00), event("paid", null)]),
  ).toBeNull()
})
