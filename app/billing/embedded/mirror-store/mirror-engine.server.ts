import type { MirrorStore } from "~/billing/external/mirror/mirror-store"
import { products, writeProducts } from "../catalogue/catalogue.server"
import { promotionRow } from "../catalogue/promotions.server"
import {
  hasUnresolvedSignUp,
  recordSignUp,
  removeSignUp,
  resolveSignUps,
} from "../customers/unresolved-sign-ups.server"
import { bound, type DbContext, type Operations } from "../db/transaction.server"
import {
  createEmbeddedBilling,
  type DatabaseSettings,
  type EmbeddedBilling,
  openDatabaseContext,
} from "../open-embedded-billing.server"
import { releaseIdempotencyKey } from "../orders/orders.server"
import {
  claimExternalOrder,
  closeExternalOrder,
  confirmExternalOrder,
  externalOrder,
  externalOrdersWithCode,
  lostOrders,
  ordersToPoll,
  setPollAt,
  updateClaimed,
} from "./external-orders.server"
import { importService } from "./import-service.server"
import {
  beginSettlement,
  completeInvoiceRenewal,
  endSettlement,
  extendSettlement,
  invoicesOfOrders,
  openInvoiceRenewal,
  placeInvoiceRenewal,
} from "./invoice-renewals.server"
import {
  customer,
  disableExternalPassword,
  eraseAllButPasswords,
  saveCustomer,
  setExternalScope,
  signInLocally,
} from "./mirrored-customers.server"
import { attempt, buyer, paidUpsells, paymentsOf, returnUsedCredit } from "./mirrored-orders.server"
import {
  currentServiceId,
  moveService,
  releaseService,
  servicesInRecreation,
  setCredentials,
  updateService,
} from "./mirrored-services.server"
import { openUpgrade, placeUpgrade } from "./plan-upgrades.server"

/** The embedded engine as the mirror of an external billing system uses it: its ports, and the mirror's store. */
export type MirrorEngine = {
  readonly local: EmbeddedBilling
  readonly store: MirrorStore
  /** A new unguessable id. */
  readonly newId: () => string
}

/** Opens the engine on a migrated database. Throws a `BillingError` if it cannot be opened. */
export async function openMirrorEngine(settings: DatabaseSettings): Promise<MirrorEngine> {
  return mirrorEngine(await openDatabaseContext(settings))
}

/** The engine on an opened and migrated database. */
export function mirrorEngine(ctx: DbContext): MirrorEngine {
  return { local: createEmbeddedBilling(ctx), store: mirrorStore(ctx), newId: ctx.newId }
}

function mirrorStore(ctx: DbContext): MirrorStore {
  return bound<MirrorStore>(ctx, {
    products,
    replaceProducts: writeProducts,
    savePromotion,
    externalOrdersWithCode,
    customer,
    saveCustomer,
    signInLocally,
    setExternalScope,
    disableExternalPassword,
    recordSignUp,
    removeSignUp,
    hasUnresolvedSignUp,
    resolveSignUps,
    eraseInactiveCustomers: eraseAllButPasswords,
    buyer,
    paymentsOf,
    paidUpsells,
    attempt,
    returnUsedCredit,
    releaseIdempotencyKey,
    currentServiceId,
    servicesInRecreation,
    updateService,
    moveService,
    releaseService,
    setCredentials,
    importService,
    externalOrder,
    claimExternalOrder,
    updateClaimed,
    confirmExternalOrder,
    closeExternalOrder,
    setPollAt,
    ordersToPoll,
    lostOrders,
    invoicesOfOrders,
    openInvoiceRenewal,
    placeInvoiceRenewal,
    beginSettlement,
    extendSettlement,
    endSettlement,
    completeInvoiceRenewal,
    openUpgrade,
    placeUpgrade,
  })
}

const savePromotion: Operations<MirrorStore>["savePromotion"] = async ({ db }, promotion) => {
  const { uses, ...row } = promotionRow(promotion, 0, new Map())
  await db
    .insertInto("promotions")
    .values({ ...row, uses })
    .onConflict((conflict) => conflict.column("code_key").doUpdateSet(row))
    .execute()
}
