import type { Logger } from "pino"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import { type MirrorEngine, openMirrorEngine } from "~/billing/embedded/mirror-store/mirror-engine.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { OrderSync } from "~/billing/orders/order-sync"
import type { InvoiceRenewals } from "~/billing/services/invoice-renewals"
import type { PlanUpgrades } from "~/billing/services/plan-upgrades"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Gateway } from "~/gateways/gateway"
import type { Provisioner } from "~/provisioning/provisioner"
import { externalFraudCheck, mirrorBilling, mirrorOrderSync } from "./billing.server"
import { lastCatalogueSnapshot } from "./catalogue.server"
import { createBackgroundTasks, type MirrorContext } from "./context.server"
import { emailOf } from "./customers.server"
import { externalGateway } from "./external-gateway.server"
import { mirrorInvoiceRenewals } from "./invoice-renewals.server"
import { mirrorPlanUpgrades } from "./plan-upgrades.server"
import { externalProvisioner } from "./provisioner.server"

export type MirrorLedgerSettings = Parameters<typeof openMirrorEngine>[0] & MirrorSettings

export type MirrorSettings = Pick<MirrorContext, "hosts"> & {
  /** Opens the adapter of the external system; `local` gives it read access to local customers. */
  readonly openExternalBilling: (local: CustomerLookup) => ExternalBilling
  readonly now: () => Instant
  readonly log: Logger
}

export type CustomerLookup = {
  /** E-mail of a customer as typed; null if the customer is unknown locally, or erased. */
  emailOf(customerId: string): Promise<string | null>
}

export type MirrorLedger = MirrorEngine["local"] & {
  readonly emailChanges: null
  readonly trials: null
  readonly promotions: null
  readonly catalogue: null
  readonly orderSync: OrderSync
  /** Null: the external system's API has no renewal invoices. */
  readonly invoiceRenewals: InvoiceRenewals | null
  /** Null: the external system's API cannot change plans. */
  readonly planUpgrades: PlanUpgrades | null
  readonly externalBilling: ExternalBilling
  /** The catalogue as last stored, for display while the external system is unavailable. */
  readonly lastCatalogueSnapshot: Pick<Catalogue, "plans" | "resellerPlans">
  /** Provisioner that uses the external system's panel. `lists` provides the channel lists. */
  panel(lists: Pick<Provisioner, "playlist" | "playlistAddress">): Provisioner
  /** Gateway whose payments the external system takes; null if the shop's own gateways take them. */
  gateway(id: GatewayId): Gateway | null
}

/** Opens the mirror of an external billing system. Throws a `BillingError` if the local database cannot be opened. */
export async function openMirrorLedger(settings: MirrorLedgerSettings): Promise<MirrorLedger> {
  return createMirrorLedger(await openMirrorEngine(settings), settings)
}

/** Creates the mirror on an opened engine. */
export function createMirrorLedger(engine: MirrorEngine, settings: MirrorSettings): MirrorLedger {
  const { openExternalBilling, hosts, now, log } = settings
  const { local, store, newId } = engine
  const externalBilling = openExternalBilling({ emailOf: (id) => emailOf(store, id) })
  const { runInBackground, allDone } = createBackgroundTasks(log)
  const mirror = { externalBilling, local, store, newId, hosts, now, log, runInBackground }
  const { payments, invoices, upgrades } = externalBilling
  const billing = mirrorBilling(mirror)
  return {
    ...local,
    hasSingleCurrency: externalBilling.hasSingleCurrency,
    externalBilling,
    billing,
    purchase: (work) =>
      work({
        ...billing,
        checkFraud: local.billing.checkFraud,
        checkAddress: externalFraudCheck(mirror),
        findOrCreateAttempt: null,
      }),
    // The external system has the customers, and its API cannot change who has an e-mail.
    emailChanges: null,
    // Its catalogue names no free trial, and it decides who has one.
    trials: null,
    // Local rows of its promotions only count the uses of local orders.
    promotions: null,
    // Local rows of its products are a copy for display.
    catalogue: null,
    orderSync: mirrorOrderSync(mirror),
    invoiceRenewals: invoices && mirrorInvoiceRenewals(mirror, invoices),
    planUpgrades: upgrades && mirrorPlanUpgrades(mirror, upgrades),
    lastCatalogueSnapshot: lastCatalogueSnapshot(mirror),
    panel: (lists) => externalProvisioner(mirror, lists),
    gateway: (id) => payments && externalGateway(mirror, payments, id),
    async close() {
      await allDone()
      await local.close()
    },
  }
}
