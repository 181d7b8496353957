import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { money } from "../money/money"
import {
  endedStatuses,
  hasRunOut,
  mostFinalStatus,
  type OpenPayment,
  type PaymentStatus,
  paymentStatuses,
  takesPayment,
  unsettledStatuses,
} from "./payment"

const status = fc.constantFrom(...paymentStatuses)

test.each<[PaymentStatus, PaymentStatus, PaymentStatus]>([
  ["paid", "expired", "paid"],
  ["paid", "pending", "paid"],
  ["paid", "refunded", "refunded"],
  ["partially-paid", "failed", "partially-paid"],
  ["expired", "paid", "paid"],
  ["failed", "processing", "processing"],
  ["pending", "expired", "expired"],
  ["failed", "expired", "expired"],
  ["processing", "failed", "failed"],
  ["processing", "expired", "expired"],
  ["expired", "processing", "processing"],
  ["processing", "pending", "processing"],
  ["expired", "failed", "failed"],
])("status %s followed by %s results in %s", (known, update, better) => {
  expect(mostFinalStatus(known, update)).toBe(better)
})

test("a paid payment changes only to refunded, in any order of updates", () => {
  fc.assert(
    fc.property(fc.array(status), fc.array(status), (before, after) => {
      const known = [...before, "paid" as const, ...after].reduce(mostFinalStatus, "pending")
      expect(known).toBe([...before, ...after].includes("refunded") ? "refunded" : "paid")
    }),
  )
})

test("repeating a status does not change it", () => {
  for (const word of paymentStatuses) expect(mostFinalStatus(word, word)).toBe(word)
})

test("paid and refunded payments are polled no more; failed and expired ones may be paid late", () => {
  const polled = [...unsettledStatuses, ...endedStatuses]
  expect(paymentStatuses.filter((it) => !polled.includes(it))).toEqual(["paid", "refunded"])
  expect(endedStatuses).toEqual(["failed", "expired"])
})

describe("whether an open payment takes the amount due", () => {
  const eur = (minor: number) => money(minor, "EUR")
  const open: OpenPayment = { status: "pending", amount: eur(7_900), received: eur(0), endsAt: 100 }
  const part: OpenPayment = { ...open, status: "partially-paid", received: eur(6_320) }
  const takes = (payment: OpenPayment, due: number, { takesTopUps = false, now = 99 } = {}) =>
    takesPayment(payment, { due: eur(due), takesTopUps, now })

  test.each<[string, boolean, boolean]>([
    ["a pending payment takes the amount due", takes(open, 7_900), true],
    [
      "a pending payment without an expiry takes the amount due",
      takes({ ...open, endsAt: null }, 7_900, { now: 1_000 }),
      true,
    ],
    ["an expired payment does not", takes(open, 7_900, { now: 100 }), false],
    ["a failed payment does not", takes({ ...open, status: "failed" }, 7_900), false],
    ["a payment over another amount does not", takes(open, 1_580), false],
    ["a partial payment does not, at a gateway without top-ups", takes(part, 1_580), false],
    ["a partial payment does, at a gateway with top-ups", takes(part, 1_580, { takesTopUps: true }), true],
    ["an expired partial payment does not", takes(part, 1_580, { takesTopUps: true, now: 100 }), false],
    ["a partial payment with another remainder does not", takes(part, 1_000, { takesTopUps: true }), false],
    [
      "a processing payment counts as taking it, so that the customer does not pay twice",
      takes({ ...open, status: "processing" }, 1),
      true,
    ],
  ])("%s", (_, taken, expected) => {
    expect(taken).toBe(expected)
  })
})

test.each<[PaymentStatus, number | null, boolean]>([
  ["expired", null, true],
  ["pending", 100, true],
  ["partially-paid", 100, true],
  ["pending", 101, false],
  ["pending", null, false],
  ["failed", 100, false],
  ["paid", 100, false],
])("the time for a payment that is %s and ends at %s has run out at 100: %s", (status, endsAt, over) => {
  expect(hasRunOut({ status, endsAt }, 100)).toBe(over)
})
