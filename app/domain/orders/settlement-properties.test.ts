import fc from "fast-check"
import { expect, test } from "vitest"
import { unpaidInvoice as invoice } from "../../../tests/fixtures/unpaid-invoice"
import { money } from "../money/money"
import { type PaymentUpdate, paymentStatuses } from "../payments/payment"
import { type KnownAttempt, type Settlement, settle } from "./settlement"

const euro = (minor: number) => money(minor, "EUR")
const attempt: KnownAttempt = {
  status: "pending",
  balance: { gross: 0, refunded: 0, left: null },
  amount: euro(7_900),
}

const anyUpdate = fc
  .tuple(
    fc.constantFrom(...paymentStatuses),
    fc.integer({ min: 0, max: 12_000 }),
    fc.constantFrom("a1", "a2", "a3"),
    fc.option(fc.integer({ min: 0, max: 12_000 }), { freq: 2 }),
  )
  .map(
    ([status, received, attemptId, refunded]): PaymentUpdate => ({
      eventKey: "e1",
      transactionId: null,
      attemptId,
      status,
      received: euro(received),
      ...(refunded !== null && { refunded: euro(refunded) }),
    }),
  )

/** Updates in any order, some repeated. */
const updateSequences = fc
  .array(anyUpdate, { maxLength: 12 })
  .chain((updates) => fc.tuple(fc.constant(updates), fc.shuffledSubarray(updates)))
  .map(([updates, again]) => [...updates, ...again])

test("the ledger total equals the net amount of all payments, for any sequence of updates", () => {
  fc.assert(
    fc.property(updateSequences, (updates) => {
      const { settlements, received, credited } = bookAll(updates)
      const held = sum(["a1", "a2", "a3"].map((id) => heldOf(updates, id)))
      expect(sum(settlements.map(({ movement }) => movement?.minor ?? 0))).toBe(held)
      expect(received).toBe(held)
      expect(sum(settlements.map(({ surplus }) => surplus.minor))).toBe(credited)
      expect(credited).toBeGreaterThanOrEqual(0)
    }),
  )
})

test("without refunds, the excess over the total is credited and the invoice is paid exactly once", () => {
  fc.assert(
    fc.property(updateSequences, (all) => {
      const updates = all.filter(({ status, refunded }) => status !== "refunded" && !refunded)
      const { settlements, received, credited } = bookAll(updates)
      const paid = settlements.filter(({ orderEvent }) => orderEvent === "paid")
      expect(paid).toHaveLength(received >= 7_900 ? 1 : 0)
      expect(credited).toBe(Math.max(0, received - 7_900))
    }),
  )
})

test("the final amounts do not depend on the order or repetition of updates", () => {
  const shuffled = fc.array(anyUpdate, { maxLength: 8 }).chain((updates) => {
    const all = fc.shuffledSubarray(updates, { minLength: updates.length })
    return fc.tuple(fc.constant(updates), all, fc.shuffledSubarray(updates))
  })
  fc.assert(
    fc.property(shuffled, ([updates, otherwise, again]) => {
      const { received, credited } = bookAll(updates)
      expect(bookAll([...otherwise, ...again])).toMatchObject({ received, credited })
    }),
  )
})

test("no sequence of updates pays an invoice twice", () => {
  fc.assert(
    fc.property(updateSequences, (updates) => {
      const paid = bookAll(updates).settlements.filter(({ orderEvent }) => orderEvent === "paid")
      expect(paid.length).toBeLessThanOrEqual(1)
    }),
  )
})

test("an immediately repeated update changes nothing", () => {
  fc.assert(
    fc.property(updateSequences, anyUpdate, (updates, last) => {
      const again = bookAll([...updates, last, last]).settlements.at(-1)
      expect(again).toMatchObject({ movement: null, surplus: euro(0), orderEvent: null, event: null })
    }),
  )
})

/** Applies updates one after the other, as the payment repository does. */
function bookAll(updates: readonly PaymentUpdate[]) {
  const attempts = new Map<string, KnownAttempt>()
  let state = invoice
  const settlements = updates.map((it) => {
    const known = attempts.get(it.attemptId) ?? attempt
    const settled = booked(settle(state, known, it, { payable: true, tolerance: 0 }))
    attempts.set(it.attemptId, { ...known, ...settled.attempt })
    const credited = euro(state.credited.minor + settled.surplus.minor)
    const surplus = credited
    const paid = state.paid || settled.orderEvent === "paid"
    state = { ...state, received: settled.invoiceReceived, credited, surplus, paid }
    return settled
  })
  return { settlements, received: state.received.minor, credited: state.credited.minor }
}

/**
 * Net amount of a payment: the highest received amount less the highest refunded one, or the lowest remainder; a remainder
 * equal to the received amount is a full refund.
 */
function heldOf(updates: readonly PaymentUpdate[], id: string): number {
  const args = updates.filter(({ attemptId }) => attemptId === id)
  const gross = Math.max(0, ...args.map(({ received }) => received.minor))
  const net = Math.max(0, gross - Math.max(0, ...args.map(({ refunded }) => refunded?.minor ?? 0)))
  const left = Math.min(
    ...args.filter((it) => it.status === "refunded" && !it.refunded).map(({ received }) => received.minor),
  )
  return left < gross || left === Number.POSITIVE_INFINITY ? Math.min(net, left) : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

function booked(settled: Settlement | "refused"): Settlement {
  if (settled === "refused") throw new Error("Refused, though all is in one currency")
  return settled
}
