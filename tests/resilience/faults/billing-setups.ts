import { sql } from "kysely"
import pino from "pino"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import {
  createEmbeddedBilling,
  type EmbeddedBilling,
  openDatabaseContext,
} from "~/billing/embedded/open-embedded-billing.server"
import { openMirrorLedger } from "~/billing/external/mirror/open-mirror.server"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import type { Provisioner } from "~/provisioning/provisioner"
import { startWhmcs } from "../../fakes/whmcs-simulator/start"
import { catalogue } from "../../fixtures/test-shop"
import { settingsFor } from "../../fixtures/whmcs-shop"
import type { StoredRows } from "../invariants/stored-rows"
import type { PanelLine } from "../invariants/system-state"
import { type HttpFaultProxy, openSpoiledLine } from "./http-fault-proxy"
import { theirViolations } from "./whmcs-invariants"

/** Who keeps the books. */
export type BillingSetup = "ours" | "WHMCS"

/** The books of a shop, with whoever stands behind them. */
export type Keeper = {
  readonly books: EmbeddedBilling
  /** The way to whoever keeps them elsewhere; nobody calls there where they are ours. */
  readonly line: HttpFaultProxy
  /** Makes lines by their panel; null where that is not theirs. */
  provisioner(lists: Provisioner): Provisioner | null
  panelLines(): readonly PanelLine[] | null
  /** What is wrong on their side. */
  violations(books: StoredRows): readonly string[]
  fillDisk(isFull: boolean): Promise<void>
  close(): Promise<void>
}

type Settings = { databaseUrl: string; timeoutMs: number; newId: () => string; now: () => number }

export const openKeeper: Record<BillingSetup, (settings: Settings) => Promise<Keeper>> = {
  async ours(settings) {
    const pages = await openDatabaseContext({ ...settings, catalogue })
    const books = createEmbeddedBilling(pages)
    const line = await openSpoiledLine("http://127.0.0.1:1")
    return {
      ...{ books, line, provisioner: () => null, panelLines: () => null, violations: () => [] },
      fillDisk: (isFull) => limitPages(pages, isFull),
      async close() {
        await books.close()
        await line.close()
      },
    }
  },

  async WHMCS(settings) {
    const { now, timeoutMs } = settings
    const whmcs = await startWhmcs({ now, fieldsOnOrderForm: "all" })
    const line = await openSpoiledLine(whmcs.url)
    const books = await openMirrorLedger({
      ...{ ...settings, hosts: { plan: "https://tv.test", reseller: "https://panel.test" } },
      openBackoffice: () => openWhmcs({ ...settingsFor(whmcs), url: line.origin, timeoutMs }),
      log: pino({ level: "silent" }),
    })
    // Nobody orders what has not been shown to him.
    await Promise.all([books.billing.plans(), books.billing.resellerPlans()])
    return {
      ...{ books, line, provisioner: (lists) => books.panel(lists) },
      panelLines: () => whmcs.lines.map((it) => ({ ...it, serviceId: String(it.serviceId) })),
      violations: (rows) => theirViolations(whmcs, rows),
      fillDisk: async () => {},
      async close() {
        await books.close()
        await Promise.all([line.close(), whmcs.close()])
      },
    }
  },
}

async function limitPages({ db }: DbContext, isFull: boolean): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
  await sql.raw(`PRAGMA max_page_count = ${isFull ? rows[0]?.page_count : 1_000_000}`).execute(db)
}
