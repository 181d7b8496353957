import pino from "pino"
import { mirrorEngine, openMirrorEngine } from "~/billing/embedded/mirror-store/mirror-engine.server"
import {
  createMirrorLedger,
  type MirrorLedger,
  type MirrorLedgerSettings,
} from "~/billing/external/mirror/open-mirror.server"
import { openMigratedMemoryDatabase } from "../../support/db/migrated-sqlite"
import { type BillingUnderTest, NOON, unique } from "./billing-fixtures"

export type MirrorUnderTest = BillingUnderTest & MirrorLedger

const nowhere = { plan: null, reseller: null }

/** The mirror of an external billing system, as the contract needs it: in memory unless a database is given. */
export async function openMirrorUnderTest(
  openExternalBilling: MirrorLedgerSettings["openExternalBilling"],
  {
    hosts = nowhere,
    databaseUrl,
    now = () => NOON,
    mail,
    isCreditExternal,
    log = pino({ level: "silent" }),
  }: Partial<
    Pick<MirrorLedgerSettings, "hosts" | "databaseUrl" | "now" | "mail" | "isCreditExternal" | "log">
  > = {},
): Promise<MirrorUnderTest> {
  const engine = databaseUrl
    ? await openMirrorEngine({ databaseUrl, timeoutMs: 10_000, newId: unique, mail, isCreditExternal })
    : mirrorEngine({ db: await openMigratedMemoryDatabase(), newId: unique, mail, isCreditExternal })
  const mirror = createMirrorLedger(engine, { hosts, openExternalBilling, now, log })
  // An order needs the catalogue that was shown to the buyer, so it is loaded first.
  await Promise.all([mirror.billing.plans(), mirror.billing.resellerPlans()])
  return {
    ...mirror,
    async ledger(orderId) {
      const shown = await mirror.operator.order(orderId)
      return {
        received: (shown?.movements ?? []).map(({ amount }) => amount),
        credit: shown?.accountCredit ?? [],
      }
    },
  }
}
