import { expect, test } from "vitest"
import { money } from "../money/money"
import { refundedOf } from "./refunded-of-order"
import type { TimelineEvent, TimelineKind } from "./timeline"

const eur = (minor: number) => money(minor, "EUR")
const event = (kind: TimelineKind, minor: number | null): TimelineEvent => ({
  kind,
  at: 0,
  amount: minor === null ? null : eur(minor),
  reference: null,
})
const order = { kind: "plan", total: eur(10_00), credited: eur(0) } as const

test("nothing was paid back of an order that has all it was paid with", () => {
  expect(refundedOf(order, [event("paid", 10_00)], eur(10_00))).toBeNull()
})

test.each([
  ["a part that was paid back", {}, [event("paid", 10_00), event("refunded", -3_00)], 7_00, 3_00],
  ["no tolerance", {}, [event("paid", 9_95), event("refunded", -3_00)], 6_95, 3_00],
  ["no surplus", {}, [event("paid", 12_00), event("refunded", -3_00)], 9_00, 1_00],
  [
    "nothing that went back before the order was paid",
    {},
    [event("partly-paid", 4_00), event("refunded", -2_00), event("paid", 8_00), event("refunded", -2_00)],
    8_00,
    2_00,
  ],
  [
    "of an order that was marked as paid, what was paid back since",
    {},
    [
      event("partly-paid", 4_00),
      event("refunded", -2_00),
      event("paid", null),
      event("refunded-to-credit", -5_00),
    ],
    5_00,
    5_00,
  ],
  [
    "of account credit that was bought, what was taken back",
    { kind: "topup", credited: eur(7_00) },
    [event("paid", 10_00), event("credit-added", 10_00), event("refunded", -3_00)],
    0,
    3_00,
  ],
] as const)("the refund of an order is %s", (_, changes, timeline, netPaid, minor) => {
  expect(refundedOf({ ...order, ...changes }, timeline, eur(netPaid))).toEqual(eur(minor))
})

test("a part that went back before an order was paid, which has become account credit since, is no refund of it", () => {
  const before = [event("partly-paid", 4_00), event("refunded", -2_00)]
  expect(refundedOf(order, [...before, event("paid", 8_00)], eur(0))).toBeNull()
  expect(refundedOf(order, [...before, event("paid", null)], eur(10_00))).toBeNull()
})

test("money that came beyond the total and went back again is no refund", () => {
  const again = [event("overpaid", 10_00), event("refunded", -10_00)]
  expect(refundedOf(order, [event("paid", null), ...again], eur(10_00))).toBeNull()
  const topUp = { ...order, kind: "topup", credited: eur(10_00) } as const
  expect(refundedOf(topUp, [event("paid", 10_00), ...again], eur(0))).toBeNull()
})
