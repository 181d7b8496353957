import fc from "fast-check"
import { expect } from "vitest"
import type { Attempt } from "~/billing/payments/payment-repository"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { outstanding } from "~/domain/orders/settlement"
import { paymentStatuses } from "~/domain/payments/payment"
import { type BillingUnderTest, NOON, opened, orderNow, paymentUpdate, placed } from "./billing-fixtures"

const TOTAL = 2_000
const RUNS = 25

/** A gateway's report on one of three attempts: total received so far, in minor units. */
const status = fc.record({
  attempt: fc.nat({ max: 2 }),
  status: fc.constantFrom(...paymentStatuses),
  minor: fc.nat({ max: 2 * TOTAL }),
  /** Total refunded so far, where the gateway names it. */
  refunded: fc.option(fc.nat({ max: TOTAL })),
})
type StatusReport = typeof status extends fc.Arbitrary<infer W> ? W : never

/** Groups of reports: groups are sequential, the reports of a group are concurrent. */
const updates = fc.array(fc.array(status, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })

/** Property: any reports in any order, also concurrent ones, keep the ledger balanced. */
export async function moneyAddsUp(backend: BillingUnderTest): Promise<void> {
  await fc.assert(
    fc.asyncProperty(updates, async (groups) => {
      const order = await placed(backend)
      const attempts = [
        await opened(backend, order, TOTAL),
        await opened(backend, order, TOTAL - 1),
        await opened(backend, order, TOTAL - 2),
      ]
      let wasPaid = false
      for (const group of groups) {
        await Promise.all(group.map((it) => recordUpdate(backend, attempts, it)))
        const { status } = await orderNow(backend, order)
        expect(status === "paid" || !wasPaid).toBe(true)
        wasPaid = status === "paid"
      }
      await check(backend, order, { came: held(groups.flat()), wasPaid })
    }),
    { numRuns: RUNS },
  )
}

async function recordUpdate(
  { payments }: BillingUnderTest,
  attempts: readonly Attempt[],
  it: StatusReport,
): Promise<void> {
  const attempt = attempts[it.attempt]
  if (!attempt) return
  const refunded = it.refunded === null ? undefined : money(it.refunded, "EUR")
  await payments.recordPaymentUpdate(
    "offshore",
    { ...paymentUpdate(attempt, it.status, it.minor), refunded },
    NOON,
  )
}

/**
 * Money received and not refunded: per attempt, the largest received total less the largest refund, or the remainder
 * that a refund reported.
 */
function held(args: readonly StatusReport[]): number {
  const each = [0, 1, 2].map((attempt) => {
    const own = args.filter((it) => it.attempt === attempt)
    const gross = Math.max(0, ...own.map(({ minor }) => minor))
    const net = Math.max(0, gross - Math.max(0, ...own.map(({ refunded }) => refunded ?? 0)))
    const left = own.filter((it) => it.status === "refunded" && it.refunded === null)
    if (left.length === 0) return net
    const min = Math.min(...left.map(({ minor }) => minor))
    return min < gross ? Math.min(net, min) : 0
  })
  return each.reduce((sum, minor) => sum + minor, 0)
}

type Outcome = { came: number; wasPaid: boolean }

async function check(backend: BillingUnderTest, order: Order, { came, wasPaid }: Outcome): Promise<void> {
  const { received, credit } = await backend.ledger(order.id)
  const now = await orderNow(backend, order)
  expect(sum(received)).toBe(came)
  expect(now.received.minor).toBe(came)
  expect(sum(credit)).toBe(now.credited.minor)
  // A received total that covers the order pays it; a later refund does not change the status.
  expect(now.status === "paid" || came < TOTAL).toBe(true)
  expect(outstanding(now).minor).toBe(Math.max(0, TOTAL - came + now.credited.minor))

  const jobs = await backend.outbox.claim(NOON + DAY, HOUR, 100)
  const mine = jobs.filter(({ subject }) => subject === order.serviceId)
  expect(mine).toHaveLength(wasPaid ? 1 : 0)
  for (const job of jobs) await backend.outbox.complete(job)
}

function sum(amounts: readonly { minor: number }[]): number {
  return amounts.reduce((total, { minor }) => total + minor, 0)
}
