import { type Billing, BillingError, OrderPending } from "~/billing/billing"
import { releaseIdempotencyKey } from "~/billing/embedded/orders/orders.server"
import type { Order } from "~/domain/order"
import { paidStatuses, unpaidFinalStatuses } from "~/domain/order-status"
import { mirrorCatalogue } from "./catalogue.server"
import type { MirrorContext } from "./context.server"
import { mirrorCustomers } from "./customers.server"
import { ensureExternalOrder, findOrderMapping } from "./ensure-external-order.server"
import { isOnItsWay } from "./find-external-order.server"
import { mirrorPromotion } from "./promotions.server"
import { closeExternalOrder, reconcileExternalOrders } from "./reconcile-orders.server"
import { mirrorServices, resolveServiceId } from "./services.server"

/**
 * The books of a shop whose customers, invoices and services are kept elsewhere. An order is written down here first
 * and made there then; what happens to it is told in our timeline, and to them.
 */
export function mirrorBilling(beside: MirrorContext): Billing {
  const { ours, externalBilling, books, runInBackground } = beside
  const named = (id: string) => resolveServiceId(books, id)
  return {
    ...ours.billing,
    ...mirrorCatalogue(beside),
    gateways: () => externalBilling.gateways(),
    promotion: (code) => mirrorPromotion(beside, code),
    ...mirrorCustomers(beside),
    ...mirrorServices(beside),

    async recordClick(click) {
      const isNew = await ours.billing.recordClick(click)
      if (isNew) runInBackground("affiliate click", () => externalBilling.recordClick(click))
      return isNew
    },

    async checkFraud(visitor) {
      const { address } = visitor
      const [verdict, welcome] = await Promise.all([
        ours.billing.checkFraud(visitor),
        address === null ? true : externalBilling.passesFraudCheck(address),
      ])
      return verdict.valid && !welcome ? { valid: false, reason: "the billing system says so" } : verdict
    },

    async fraudOrder(id, reason, at) {
      await ours.billing.fraudOrder(id, reason, at)
      await closed(beside, await ours.billing.order(id))
    },

    async placeOrder(wish) {
      if (wish.promoCode !== null) await mirrorPromotion(beside, wish.promoCode)
      return made(beside, await ours.billing.placeOrder(wish))
    },

    async addInvoice(wish) {
      const serviceId = await named(wish.serviceId)
      return made(beside, await ours.billing.addInvoice({ ...wish, serviceId }))
    },

    async completeOrder(order) {
      if (await isOnItsWay(beside, order.id)) return null
      return (await isMade(beside, order)) ? ((await ours.billing.order(order.id)) ?? order) : null
    },

    isOnItsWay: (orderId) => isOnItsWay(beside, orderId),

    /** It is paid already, with credits that are ours to count: it is made there with the job that sets it up. */
    createLine: async (line) =>
      ours.billing.createLine({ ...line, resellerServiceId: await named(line.resellerServiceId) }),

    async applyOrderEvent(id, event, at, reference = null) {
      const order = await ours.billing.applyOrderEvent(id, event, at, reference)
      await closed(beside, order)
      return order
    },

    async releaseOrder(id, release) {
      if (await isClosedThere(beside, id))
        throw new BillingError(
          "refused",
          `Order ${id} is held in the billing system too, and cannot be taken up again`,
        )
      const order = await ours.billing.releaseOrder(id, release)
      return order && made(beside, order)
    },

    async requoteOrder(id, wish) {
      if (wish.promoCode !== null) await mirrorPromotion(beside, wish.promoCode)
      return made(beside, await ours.billing.requoteOrder(id, wish))
    },

    reconcileExternalOrders: (now, most) => reconcileExternalOrders(beside, now, most),
    activateService: async (id, access, at) => ours.billing.activateService(await named(id), access, at),
    setDeviceAddress: async (id, address) => ours.billing.setDeviceAddress(await named(id), address),
    recordRestart: async (id, at) => ours.billing.recordRestart(await named(id), at),
    scheduleRecreation: async (id, at, until) => ours.billing.scheduleRecreation(await named(id), at, until),
    recreateService: async (id, access, at) => ours.billing.recreateService(await named(id), access, at),
    markTerminated: async (id) => ours.billing.markTerminated(await named(id)),
    reactivateService: async (id, access, at) => ours.billing.reactivateService(await named(id), access, at),
  }
}

/** The same order, under their name for its service; as it is here while it is not known whether they have it. */
async function made(beside: MirrorContext, order: Order): Promise<Order> {
  await isMade(beside, order)
  return (await beside.ours.billing.order(order.id)) ?? order
}

/**
 * Has an order made there; false while it is not known whether they have it. One they will not have comes to nothing
 * here too, and its key is free again; one that could not be made for now stays, and the same key goes on with it.
 */
async function isMade(beside: MirrorContext, order: Order): Promise<boolean> {
  if (unpaidFinalStatuses.includes(order.status)) return true
  try {
    await ensureExternalOrder(beside, order.id, "page")
    return true
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return mayGoOn(beside, order, error)
  }
}

async function mayGoOn(beside: MirrorContext, order: Order, error: BillingError): Promise<boolean> {
  // What nothing is owed for is the buyer's: the job that sets it up tries again.
  if (paidStatuses.includes(order.status)) return true
  if (error instanceof OrderPending) return false
  if (error.kind === "refused") await withdraw(beside, order)
  throw error
}

async function isClosedThere({ books }: MirrorContext, orderId: string): Promise<boolean> {
  return (await findOrderMapping(books, orderId))?.state === "closed"
}

async function withdraw({ ours, books }: MirrorContext, { id, placedAt }: Order): Promise<void> {
  await ours.billing.applyOrderEvent(id, "aborted", placedAt)
  await releaseIdempotencyKey(books, id)
}

async function closed(beside: MirrorContext, order: Order | null): Promise<void> {
  if (order && unpaidFinalStatuses.includes(order.status))
    beside.runInBackground("order given up", () => closeExternalOrder(beside, order))
}
