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
import { type HttpFaultProxy, openHttpFaultProxy } from "./http-fault-proxy"
import { externalViolations } from "./whmcs-invariants"

/** Which billing setup is tested. */
export type BillingSetup = "ours" | "WHMCS"

/** An opened billing setup of a shop, with its external system if it has one. */
export type OpenBillingSetup = {
  readonly billing: EmbeddedBilling
  /** Fault proxy to external billing; unused with embedded billing. */
  readonly line: HttpFaultProxy
  /** Returns a provisioner that creates lines at the external system; null if it does not create lines. */
  provisioner(lists: Provisioner): Provisioner | null
  panelLines(): readonly PanelLine[] | null
  /** Returns the violations in the external system. */
  violations(database: StoredRows): readonly string[]
  fillDisk(isFull: boolean): Promise<void>
  close(): Promise<void>
}

type Settings = { databaseUrl: string; timeoutMs: number; newId: () => string; now: () => number }

export const openBillingSetup: Record<BillingSetup, (settings: Settings) => Promise<OpenBillingSetup>> = {
  async ours(settings) {
    const pages = await openDatabaseContext({ ...settings, catalogue })
    const billing = createEmbeddedBilling(pages)
    const line = await openHttpFaultProxy("http://127.0.0.1:1")
    return {
      billing,
      line,
      provisioner: () => null,
      panelLines: () => null,
      violations: () => [],
      fillDisk: (isFull) => limitPages(pages, isFull),
      async close() {
        await billing.close()
        await line.close()
      },
    }
  },

  async WHMCS(settings) {
    const { now, timeoutMs } = settings
    const whmcs = await startWhmcs({ now, fieldsOnOrderForm: "all" })
    const line = await openHttpFaultProxy(whmcs.url)
    const mirror = await openMirrorLedger({
      ...settings,
      hosts: { plan: "https://tv.test", reseller: "https://panel.test" },
      openExternalBilling: () => openWhmcs({ ...settingsFor(whmcs), url: line.origin, timeoutMs }),
      log: pino({ level: "silent" }),
    })
    const close = async () => {
      await mirror.close()
      await Promise.all([line.close(), whmcs.close()])
    }
    try {
      // An order needs the catalogue that was shown to the buyer, so it is loaded first.
      await Promise.all([mirror.billing.plans(), mirror.billing.resellerPlans()])
    } catch (error) {
      await close()
      throw error
    }
    return {
      billing: mirror,
      line,
      provisioner: (lists) => mirror.panel(lists),
      panelLines: () => whmcs.lines.map((it) => ({ ...it, serviceId: String(it.serviceId) })),
      violations: (rows) => externalViolations(whmcs, rows),
      fillDisk: async () => {},
      close,
    }
  },
}

async function limitPages({ db }: DbContext, isFull: boolean): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
  await sql.raw(`PRAGMA max_page_count = ${isFull ? rows[0]?.page_count : 1_000_000}`).execute(db)
}
