import fc from "fast-check"
import { expect, test } from "vitest"
import { money } from "./money"
import { type PaymentNews, paymentStatuses } from "./payment"
import { type KnownAttempt, type Settlement, settle } from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const invoice = { total: euro(7_900), received: euro(0) }
const attempt: KnownAttempt = { status: "pending", received: euro(0), amount: euro(7_900) }

const anyNews = fc
  .tuple(
    fc.constantFrom(...paymentStatuses),
    fc.integer({ min: 0, max: 12_000 }),
    fc.constantFrom("a1", "a2", "a3"),
  )
  .map(
    ([status, received, attemptId]): PaymentNews => ({
      ...{ eventKey: "e1", transactionId: null },
      ...{ attemptId, status, received: euro(received) },
    }),
  )

/** News in any order, some of it more than once. */
const stories = fc
  .array(anyNews, { maxLength: 12 })
  .chain((told) => fc.tuple(fc.constant(told), fc.shuffledSubarray(told)))
  .map(([told, again]) => [...told, ...again])

test("whatever comes in whatever order, the money booked is the most that each payment ever amounted to", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const settlements = bookAll(story)
      const most = ["a1", "a2", "a3"].map((id) => mostReceived(story, id))
      const moved = settlements.map(({ movement }) => movement?.minor ?? 0)
      expect(sum(moved)).toBe(sum(most))
      expect(Math.min(0, ...moved)).toBe(0)
      expect(sum(settlements.map(({ surplus }) => surplus.minor))).toBe(Math.max(0, sum(most) - 7_900))
    }),
  )
})

test("whatever comes in whatever order, an invoice becomes paid once when enough has come, and never otherwise", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const paid = bookAll(story).filter(({ orderEvent }) => orderEvent === "paid")
      const enough = sum(["a1", "a2", "a3"].map((id) => mostReceived(story, id))) >= 7_900
      expect(paid).toHaveLength(enough ? 1 : 0)
    }),
  )
})

test("news that is told again at once changes nothing", () => {
  fc.assert(
    fc.property(stories, anyNews, (story, last) => {
      const again = bookAll([...story, last, last]).at(-1)
      expect(again).toMatchObject({ movement: null, surplus: euro(0), orderEvent: null, told: null })
    }),
  )
})

/** Books one piece of news after the other, as the till does. */
function bookAll(story: readonly PaymentNews[]): Settlement[] {
  const attempts = new Map<string, KnownAttempt>()
  let received = euro(0)
  return story.map((it) => {
    const known = attempts.get(it.attemptId) ?? attempt
    const settled = booked(settle({ ...invoice, received }, known, it))
    attempts.set(it.attemptId, { ...known, ...settled.attempt })
    received = settled.invoiceReceived
    return settled
  })
}

function mostReceived(story: readonly PaymentNews[], id: string): number {
  return Math.max(
    0,
    ...story.filter(({ attemptId }) => attemptId === id).map(({ received }) => received.minor),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}
