import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { money } from "./money"
import {
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
  ["expired", "failed", "failed"],
])("%s, then %s, is %s", (known, update, better) => {
  expect(mostFinalStatus(known, update)).toBe(better)
})

test("once a payment is known as paid, only a refund is said of it, whatever else comes and in whatever order", () => {
  fc.assert(
    fc.property(fc.array(status), fc.array(status), (before, after) => {
      const known = [...before, "paid" as const, ...after].reduce(mostFinalStatus, "pending")
      expect(known).toBe([...before, ...after].includes("refunded") ? "refunded" : "paid")
    }),
  )
})

test("the same word twice is one word", () => {
  for (const word of paymentStatuses) expect(mostFinalStatus(word, word)).toBe(word)
})

test("a payment that is paid, failed, expired or refunded has no more news of its own accord", () => {
  expect(paymentStatuses.filter((it) => !unsettledStatuses.includes(it))).toEqual([
    "failed",
    "expired",
    "paid",
    "refunded",
  ])
})

describe("whether a payment still takes what is due", () => {
  const eur = (minor: number) => money(minor, "EUR")
  const open: OpenPayment = { status: "pending", amount: eur(7_900), received: eur(0), endsAt: 100 }
  const part: OpenPayment = { ...open, status: "partially-paid", received: eur(6_320) }
  const takes = (payment: OpenPayment, due: number, { takesTopUps = false, now = 99 } = {}) =>
    takesPayment(payment, { due: eur(due), takesTopUps, now })

  test.each<[string, boolean, boolean]>([
    ["one that nobody has paid", takes(open, 7_900), true],
    ["one whose end nobody has said", takes({ ...open, endsAt: null }, 7_900, { now: 1_000 }), true],
    ["one whose time is over", takes(open, 7_900, { now: 100 }), false],
    ["one that has failed", takes({ ...open, status: "failed" }, 7_900), false],
    ["one over another amount than is due", takes(open, 1_580), false],
    ["one paid in part, at a gateway that takes no top-up", takes(part, 1_580), false],
    ["one paid in part, at a gateway that takes top-ups", takes(part, 1_580, { takesTopUps: true }), true],
    ["one paid in part whose time is over", takes(part, 1_580, { takesTopUps: true, now: 100 }), false],
    ["one with another rest than is due", takes(part, 1_000, { takesTopUps: true }), false],
    [
      "one whose money is on its way, which nobody is to pay again",
      takes({ ...open, status: "processing" }, 1),
      true,
    ],
  ])("%s", (_, taken, expected) => {
    expect(taken).toBe(expected)
  })
})
