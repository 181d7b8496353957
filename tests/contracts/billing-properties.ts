import fc from "fast-check"
import { expect } from "vitest"
import type { Attempt } from "~/billing/till"
import { DAY, HOUR } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import { paymentStatuses } from "~/domain/payment"
import { type BooksUnderTest, NOON, news, opened, orderNow, placed } from "./billing-fixtures"

const TOTAL = 2_000
const RUNS = 25

/** Something a gateway says of one of three attempts: all received so far, in minor units. */
const word = fc.record({
  attempt: fc.nat({ max: 2 }),
  status: fc.constantFrom(...paymentStatuses),
  minor: fc.nat({ max: 2 * TOTAL }),
})
type Word = typeof word extends fc.Arbitrary<infer W> ? W : never

/** Words that come one after the other, each group of them at once. */
const story = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })

/** Any news in any order, also at once, leaves books that add up. */
export async function moneyAddsUp(books: BooksUnderTest): Promise<void> {
  await fc.assert(
    fc.asyncProperty(story, async (groups) => {
      const order = await placed(books)
      const attempts = [
        await opened(books, order, TOTAL),
        await opened(books, order, TOTAL - 1),
        await opened(books, order, TOTAL - 2),
      ]
      let wasPaid = false
      for (const group of groups) {
        await Promise.all(group.map((it) => say(books, attempts, it)))
        const { status } = await orderNow(books, order)
        expect(status === "paid" || !wasPaid).toBe(true)
        wasPaid = status === "paid"
      }
      await check(books, order, greatest(groups.flat()))
    }),
    { numRuns: RUNS },
  )
}

async function say({ till }: BooksUnderTest, attempts: readonly Attempt[], it: Word): Promise<void> {
  const attempt = attempts[it.attempt]
  if (attempt) await till.record("offshore", news(attempt, it.status, it.minor), NOON)
}

/** What has come in all: of each attempt the greatest amount that was ever named. */
function greatest(words: readonly Word[]): number {
  const most = [0, 1, 2].map((attempt) =>
    Math.max(0, ...words.filter((it) => it.attempt === attempt).map(({ minor }) => minor)),
  )
  return most.reduce((sum, minor) => sum + minor, 0)
}

async function check(books: BooksUnderTest, order: Order, came: number): Promise<void> {
  const { received, credit } = await books.ledger(order.id)
  const now = await orderNow(books, order)
  expect(sum(received)).toBe(came)
  expect(now.received.minor).toBe(came)
  expect(sum(credit)).toBe(Math.max(0, came - TOTAL))
  expect(now.status === "paid").toBe(came >= TOTAL)

  const jobs = await books.outbox.claim(NOON + DAY, HOUR, 100)
  const mine = jobs.filter(({ subject }) => subject === order.serviceId)
  expect(mine).toHaveLength(came >= TOTAL ? 1 : 0)
  for (const job of jobs) await books.outbox.done(job)
}

function sum(amounts: readonly { minor: number }[]): number {
  return amounts.reduce((total, { minor }) => total + minor, 0)
}
