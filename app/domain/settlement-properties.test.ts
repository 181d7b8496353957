import fc from "fast-check"
import { expect, test } from "vitest"
import { money } from "./money"
import { type PaymentNews, paymentStatuses } from "./payment"
import { type KnownAttempt, type Settlement, settle } from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const invoice = { total: euro(7_900), received: euro(0), credited: euro(0), paid: false }
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

test("whatever comes in whatever order, the money booked is what each payment has brought and kept", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const { settlements, received, credited } = bookAll(story)
      const held = sum(["a1", "a2", "a3"].map((id) => heldOf(story, id)))
      expect(sum(settlements.map(({ movement }) => movement?.minor ?? 0))).toBe(held)
      expect(received).toBe(held)
      expect(sum(settlements.map(({ surplus }) => surplus.minor))).toBe(credited)
      expect(credited).toBeGreaterThanOrEqual(0)
    }),
  )
})

test("without refunds exactly what is too much is credit, and an invoice becomes paid once when enough has come", () => {
  fc.assert(
    fc.property(stories, (all) => {
      const story = all.filter(({ status }) => status !== "refunded")
      const { settlements, received, credited } = bookAll(story)
      const paid = settlements.filter(({ orderEvent }) => orderEvent === "paid")
      expect(paid).toHaveLength(received >= 7_900 ? 1 : 0)
      expect(credited).toBe(Math.max(0, received - 7_900))
    }),
  )
})

test("no story makes an invoice paid twice", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const paid = bookAll(story).settlements.filter(({ orderEvent }) => orderEvent === "paid")
      expect(paid.length).toBeLessThanOrEqual(1)
    }),
  )
})

test("news that is told again at once changes nothing", () => {
  fc.assert(
    fc.property(stories, anyNews, (story, last) => {
      const again = bookAll([...story, last, last]).settlements.at(-1)
      expect(again).toMatchObject({ movement: null, surplus: euro(0), orderEvent: null, told: null })
    }),
  )
})

/** Books one piece of news after the other, as the till does. */
function bookAll(story: readonly PaymentNews[]) {
  const attempts = new Map<string, KnownAttempt>()
  let state = invoice
  const settlements = story.map((it) => {
    const known = attempts.get(it.attemptId) ?? attempt
    const settled = booked(settle(state, known, it, { payable: true, tolerance: 0 }))
    attempts.set(it.attemptId, { ...known, ...settled.attempt })
    const credited = euro(state.credited.minor + settled.surplus.minor)
    const paid = state.paid || settled.orderEvent === "paid"
    state = { ...state, received: settled.invoiceReceived, credited, paid }
    return settled
  })
  return { settlements, received: state.received.minor, credited: state.credited.minor }
}

/** What a payment has brought and not given back: the least that a refund ever left, or the most that was ever named. */
function heldOf(story: readonly PaymentNews[], id: string): number {
  const words = story.filter(({ attemptId }) => attemptId === id)
  const left = words.filter(({ status }) => status === "refunded").map(({ received }) => received.minor)
  return left.length > 0 ? Math.min(...left) : Math.max(0, ...words.map(({ received }) => received.minor))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}
