import { type Billing, BillingError, OrderFlaggedError, OrderPending } from "~/billing/billing"
import type { OrderSync } from "~/billing/orders/order-sync"
import type { PurchasePorts } from "~/billing/orders/purchase-transaction"
import { creditUsedBy, type Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses, unpaidFinalStatuses } from "~/domain/orders/order-status"
import { mirrorCatalogue } from "./catalogue.server"
import type { MirrorContext } from "./context.server"
import { mirrorCustomers } from "./customers.server"
import { isDeclined } from "./decline-upgrade.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"
import { isBeingPlaced } from "./find-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"
import { mirrorPromotion } from "./promotions.server"
import { closeExternalOrder, externalReconciliation } from "./reconcile-orders.server"
import { mirrorServices } from "./services.server"

/**
 * `Billing` port of a shop whose customers, invoices and services are in an external billing system. An order is
 * stored locally first and then created externally. Its events go to the local timeline and to the external system.
 */
export function mirrorBilling(mirror: MirrorContext): Billing {
  const { local, externalBilling, store, runInBackground } = mirror
  const named = (id: string) => store.currentServiceId(id)
  return {
    ...local.billing,
    ...mirrorCatalogue(mirror),
    async gateways() {
      const [accepted, notDrained] = await Promise.all([externalBilling.gateways(), local.billing.gateways()])
      return accepted.filter((id) => notDrained.includes(id))
    },
    promotion: (code) => mirrorPromotion(mirror, code),
    ...mirrorCustomers(mirror),
    ...mirrorServices(mirror),

    async recordClick(click) {
      const isNew = await local.billing.recordClick(click)
      if (isNew) runInBackground("affiliate click", () => externalBilling.recordClick(click))
      return isNew
    },

    async checkFraud(visitor) {
      const { address } = visitor
      const [verdict, theirs] = await Promise.all([
        local.billing.checkFraud(visitor),
        address === null ? null : externalFraudCheck(mirror)?.(address),
      ])
      return verdict.valid ? (theirs ?? verdict) : verdict
    },

    isDeviceBlocked: (device) => local.billing.isDeviceBlocked(device),

    async fraudOrder(id, reason, at) {
      await local.billing.fraudOrder(id, reason, at)
      await closed(mirror, await local.billing.order(id))
    },

    async placeOrder(request) {
      if (request.promoCode !== null) await mirrorPromotion(mirror, request.promoCode)
      return createdExternally(mirror, await local.billing.placeOrder(request))
    },

    async addInvoice(request) {
      const serviceId = await named(request.serviceId)
      return createdExternally(mirror, await local.billing.addInvoice({ ...request, serviceId }))
    },

    paidOrdersOf: async (id, limit) => local.billing.paidOrdersOf(await named(id), limit),
    partlyPaidOrderOf: async (id, at) => local.billing.partlyPaidOrderOf(await named(id), at),

    /** The customer and the invoice are in external billing, which has no call that moves an order. */
    correctEmail: async () => false,

    /** Reseller credits are local, so the order is paid already. The provisioning job creates it externally. */
    createLine: async (line) =>
      local.billing.createLine({ ...line, resellerServiceId: await named(line.resellerServiceId) }),

    /** Terms of lines are those of the external billing system. */
    linesOnCredit: async () => new Map(),
    extendLines: async () => {
      throw new BillingError("refused", "External billing decides on terms itself")
    },
    cancelLine: async () => null,

    async applyOrderEvent(id, event, at, reference = null) {
      const order = await local.billing.applyOrderEvent(id, event, at, reference)
      await closed(mirror, order)
      return order
    },

    async releaseOrder(id, release) {
      if (await isClosedExternally(mirror, id))
        throw new BillingError("refused", `Cannot release order ${id}: it has ended in external billing`)
      const order = await local.billing.releaseOrder(id, release)
      return order && createdExternally(mirror, order)
    },

    async requoteOrder(id, request) {
      if (request.promoCode !== null) await mirrorPromotion(mirror, request.promoCode)
      return createdExternally(mirror, await local.billing.requoteOrder(id, request))
    },

    activateService: async (id, access, at) => local.billing.activateService(await named(id), access, at),
    requestDevice: async (id, address, times) => local.billing.requestDevice(await named(id), address, times),
    setDeviceAddress: async (id, address) => local.billing.setDeviceAddress(await named(id), address),
    dropDeviceRequest: async (id, address) => local.billing.dropDeviceRequest(await named(id), address),
    recordRestart: async (id, at) => local.billing.recordRestart(await named(id), at),
    scheduleRecreation: async (id, at, until) => local.billing.scheduleRecreation(await named(id), at, until),
    recreateService: async (former, access, at) =>
      local.billing.recreateService({ ...former, id: await named(former.id) }, access, at),
    markTerminated: async (id, at) => local.billing.markTerminated(await named(id), at),
    reactivateService: async (id, access, at) => local.billing.reactivateService(await named(id), access, at),
  }
}

/** What the external system says of an address. Null: it checks nothing before an order. */
export function externalFraudCheck({ externalBilling }: MirrorContext): PurchasePorts["checkAddress"] {
  const { passesFraudCheck } = externalBilling
  if (passesFraudCheck === null) return null
  return async (address) =>
    (await passesFraudCheck(address))
      ? { valid: true }
      : { valid: false, reason: "rejected by external billing" }
}

/** Keeps the orders of this shop and those of the external billing system the same. */
export function mirrorOrderSync(mirror: MirrorContext): OrderSync {
  return {
    async completeOrder(order) {
      if (await isBeingPlaced(mirror, order.id)) return null
      if (order.kind === "renewal") return payableThere(mirror, order)
      if (!(await isMade(mirror, order))) return null
      await withdrawCredit(mirror, order)
      return completed(mirror, order)
    },
    isBeingPlaced: (orderId) => isBeingPlaced(mirror, orderId),
    reconcileExternalOrders: externalReconciliation(mirror),
  }
}

/**
 * A system that takes the payments asks for the whole total. An order that an earlier version has placed with account credit of this shop
 * gives it back: that system has the same credit.
 */
async function withdrawCredit({ store, externalBilling, now, log }: MirrorContext, order: Order) {
  if (externalBilling.payments === null || creditUsedBy(order).minor === 0) return
  await store.returnUsedCredit(order.id, now())
  log.info({ orderId: order.id }, "account credit of order returned")
}

async function completed(mirror: MirrorContext, order: Order): Promise<Order> {
  const current = (await mirror.local.billing.order(order.id)) ?? order
  return order.kind === "plan-change" ? payableThere(mirror, current) : current
}

/**
 * The order that pays an invoice on whose payment the external system acts: cancelled if the invoice has been paid or cancelled
 * there meanwhile.
 */
async function payableThere(mirror: MirrorContext, order: Order) {
  const { local, store, externalBilling, now } = mirror
  const row = await store.externalOrder(order.id)
  if (!row || !payableStatuses.includes(order.status) || order.received.minor > 0) return order
  const { state } = await externalBilling.orderStatus(toExternalOrderRef(await known(mirror, order.id), row))
  return state === "open"
    ? order
    : ((await local.billing.applyOrderEvent(order.id, "aborted", now())) ?? order)
}

/** Creates the order externally and returns it, with the external service id once that is known. */
export async function createdExternally(mirror: MirrorContext, order: Order): Promise<Order> {
  await isMade(mirror, order)
  return (await mirror.local.billing.order(order.id)) ?? order
}

/**
 * Creates an order externally; false while it is unknown whether that succeeded. If external billing rejects the order,
 * cancels it locally and releases its idempotency key. Any other failure leaves it open: a retry with the same key
 * resumes it.
 */
async function isMade(mirror: MirrorContext, order: Order): Promise<boolean> {
  if (unpaidFinalStatuses.includes(order.status)) return true
  try {
    await ensureExternalOrder(mirror, order.id, "page")
    return true
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return continuesAfterError(mirror, order, error)
  }
}

async function continuesAfterError(
  mirror: MirrorContext,
  order: Order,
  error: BillingError,
): Promise<boolean> {
  const isPaid = paidStatuses.includes(order.status)
  // The buyer learns that the change is not made.
  if (isPaid && (await isDeclined(mirror, order, error))) throw error
  // Nothing is owed for a paid order: its provisioning job retries the creation.
  if (isPaid) return true
  if (error instanceof OrderPending) return false
  if (error instanceof OrderFlaggedError) return flagged(mirror, order)
  if (error.kind === "refused") await withdraw(mirror, order)
  throw error
}

/** The buyer reads what a buyer reads whom this shop suspects. The sweep finds the order there, and closes it. */
async function flagged({ local, now }: MirrorContext, { id }: Order): Promise<true> {
  await local.billing.fraudOrder(id, "marked as fraud by external billing", now())
  return true
}

async function isClosedExternally({ store }: MirrorContext, orderId: string): Promise<boolean> {
  const row = await store.externalOrder(orderId)
  return row?.state === "closed" || row?.state === "unknown"
}

async function withdraw({ local, store }: MirrorContext, { id, placedAt }: Order): Promise<void> {
  await local.billing.applyOrderEvent(id, "aborted", placedAt)
  await store.releaseIdempotencyKey(id)
}

/** External billing takes another change of plan only once it has ended this one, so that is waited for; a failure is left to the sweep. */
async function closed(mirror: MirrorContext, order: Order | null): Promise<void> {
  if (!order || !unpaidFinalStatuses.includes(order.status)) return
  const closing = closeExternalOrder(mirror, order)
  mirror.runInBackground("order closing", () => closing)
  if (order.kind === "plan-change") await Promise.allSettled([closing])
}
