import pino from "pino"
import {
  type BesideSettings,
  type BooksBeside,
  openBooksBeside,
} from "~/billing/external/mirror/open-mirror.server"
import { type BooksUnderTest, NOON, unique } from "./billing-fixtures"

export type BesideUnderTest = BooksUnderTest & BooksBeside

const nowhere = { plan: null, reseller: null }

/** Our small books in memory beside somebody else's billing system, as the contract wants them. */
export async function booksBeside(
  openBackoffice: BesideSettings["openBackoffice"],
  {
    hosts = nowhere,
    databaseUrl = ":memory:",
    now = () => NOON,
  }: Partial<Pick<BesideSettings, "hosts" | "databaseUrl" | "now">> = {},
): Promise<BesideUnderTest> {
  const books = await openBooksBeside({
    databaseUrl,
    timeoutMs: 10_000,
    newId: unique,
    hosts,
    openBackoffice,
    now,
    log: pino({ level: "silent" }),
  })
  // Nobody orders what has not been shown to him.
  await Promise.all([books.billing.plans(), books.billing.resellerPlans()])
  return {
    ...books,
    async ledger(orderId) {
      const shown = await books.operator.order(orderId)
      return { received: (shown?.movements ?? []).map(({ amount }) => amount), credit: shown?.credit ?? [] }
    },
  }
}
