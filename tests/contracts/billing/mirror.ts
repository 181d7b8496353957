import pino from "pino"
import {
  type MirrorLedger,
  type MirrorLedgerSettings,
  openMirrorLedger,
} from "~/billing/external/mirror/open-mirror.server"
import { type BillingUnderTest, NOON, unique } from "./billing-fixtures"

export type MirrorUnderTest = BillingUnderTest & MirrorLedger

const nowhere = { plan: null, reseller: null }

/** Our small books in memory beside somebody else's billing system, as the contract wants them. */
export async function openMirrorUnderTest(
  openExternalBilling: MirrorLedgerSettings["openExternalBilling"],
  {
    hosts = nowhere,
    databaseUrl = ":memory:",
    now = () => NOON,
  }: Partial<Pick<MirrorLedgerSettings, "hosts" | "databaseUrl" | "now">> = {},
): Promise<MirrorUnderTest> {
  const mirror = await openMirrorLedger({
    databaseUrl,
    timeoutMs: 10_000,
    newId: unique,
    hosts,
    openExternalBilling,
    now,
    log: pino({ level: "silent" }),
  })
  // Nobody orders what has not been shown to him.
  await Promise.all([mirror.billing.plans(), mirror.billing.resellerPlans()])
  return {
    ...mirror,
    async ledger(orderId) {
      const shown = await mirror.operator.order(orderId)
      return { received: (shown?.movements ?? []).map(({ amount }) => amount), credit: shown?.credit ?? [] }
    },
  }
}
