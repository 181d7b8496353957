import pino from "pino"
import {
  type MirrorLedger,
  type MirrorLedgerSettings,
  openMirrorLedger,
} from "~/billing/external/mirror/open-mirror.server"
import { type BillingUnderTest, NOON, unique } from "./billing-fixtures"

export type BesideUnderTest = BillingUnderTest & MirrorLedger

const nowhere = { plan: null, reseller: null }

/** Our small books in memory beside somebody else's billing system, as the contract wants them. */
export async function booksBeside(
  openBackoffice: MirrorLedgerSettings["openBackoffice"],
  {
    hosts = nowhere,
    databaseUrl = ":memory:",
    now = () => NOON,
  }: Partial<Pick<MirrorLedgerSettings, "hosts" | "databaseUrl" | "now">> = {},
): Promise<BesideUnderTest> {
  const books = await openMirrorLedger({
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
