import fc from "fast-check"
import { expect, test } from "vitest"
import { betterWord, type PaymentStatus, paymentStatuses, undecided } from "./payment"

const status = fc.constantFrom(...paymentStatuses)

test.each<[PaymentStatus, PaymentStatus, PaymentStatus]>([
  ["paid", "expired", "paid"],
  ["paid", "pending", "paid"],
  ["paid", "refunded", "refunded"],
  ["partially-paid", "failed", "partially-paid"],
  ["expired", "paid", "paid"],
  ["failed", "processing", "processing"],
  ["pending", "expired", "expired"],
])("%s, then %s, is %s", (known, said, better) => {
  expect(betterWord(known, said)).toBe(better)
})

test("once a payment is known as paid, only a refund is said of it, whatever else comes and in whatever order", () => {
  fc.assert(
    fc.property(fc.array(status), fc.array(status), (before, after) => {
      const known = [...before, "paid" as const, ...after].reduce(betterWord, "pending")
      expect(known).toBe([...before, ...after].includes("refunded") ? "refunded" : "paid")
    }),
  )
})

test("the same word twice is one word", () => {
  for (const word of paymentStatuses) expect(betterWord(word, word)).toBe(word)
})

test("a payment that is paid, failed, expired or refunded has no more news of its own accord", () => {
  expect(paymentStatuses.filter((it) => !undecided.includes(it))).toEqual([
    "failed",
    "expired",
    "paid",
    "refunded",
  ])
})
