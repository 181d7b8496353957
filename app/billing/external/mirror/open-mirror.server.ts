import type { Logger } from "pino"
import type { Catalogue } from "~/billing/cached-catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import {
  createEmbeddedBilling,
  type DatabaseSettings,
  type EmbeddedBilling,
  openDatabaseContext,
} from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Gateway } from "~/gateways/gateway"
import type { Provisioner } from "~/provisioning/provisioner"
import { mirrorBilling } from "./billing.server"
import { lastCatalogueSnapshot } from "./catalogue.server"
import { createBackgroundTasks, type MirrorContext } from "./context.server"
import { emailOf } from "./customers.server"
import { externalGateway } from "./external-gateway.server"
import { externalProvisioner } from "./provisioner.server"

export type MirrorLedgerSettings = DatabaseSettings & MirrorSettings

export type MirrorSettings = Pick<MirrorContext, "hosts"> & {
  /** Opens their side; what it may have to look up in our books is handed to it. */
  readonly openExternalBilling: (local: CustomerLookup) => ExternalBilling
  readonly now: () => Instant
  readonly log: Logger
}

export type CustomerLookup = {
  /** The e-mail of a customer as he has typed it; null: we do not know him. */
  emailOf(customerId: string): Promise<string | null>
}

export type MirrorLedger = EmbeddedBilling & {
  readonly externalBilling: ExternalBilling
  /** Their price list as it was read last, for showing while they do not answer. */
  readonly lastCatalogueSnapshot: Pick<Catalogue, "plans" | "resellerPlans">
  /** Who makes lines: their panel. Channel lists come from `lists`. */
  panel(lists: Pick<Provisioner, "playlist" | "playlistAddress">): Provisioner
  /** A way to pay them; null where the shop's own gateways take the money. */
  gateway(id: GatewayId): Gateway | null
}

/** Opens our small books beside somebody else's billing system. Throws a `BillingError` when ours cannot be opened. */
export async function openMirrorLedger(settings: MirrorLedgerSettings): Promise<MirrorLedger> {
  return createMirrorLedger(await openDatabaseContext(settings), settings)
}

/** The mirror on a database that has been opened and migrated. */
export function createMirrorLedger(ctx: DbContext, settings: MirrorSettings): MirrorLedger {
  const { openExternalBilling, hosts, now, log } = settings
  const externalBilling = openExternalBilling({ emailOf: (id) => emailOf(ctx, id) })
  const local = createEmbeddedBilling(ctx)
  const { runInBackground, allDone } = createBackgroundTasks(log)
  const mirror = { ...{ externalBilling, ctx, local, hosts }, now, log, runInBackground }
  const { payments } = externalBilling
  return {
    ...{ ...local, externalBilling },
    billing: mirrorBilling(mirror),
    lastCatalogueSnapshot: lastCatalogueSnapshot(mirror),
    panel: (lists) => externalProvisioner(mirror, lists),
    gateway: (id) => payments && externalGateway(mirror, payments, id),
    async close() {
      await allDone()
      await local.close()
    },
  }
}
