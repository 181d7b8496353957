import { type Billing, BillingError, OrderPending } from "~/billing/billing"
import { takeNewKey } from "~/billing/embedded/orders/orders.server"
import type { Order } from "~/domain/order"
import { bought, givenUp } from "~/domain/order-status"
import { priceListBeside } from "./catalogue.server"
import type { Beside } from "./context.server"
import { customersBeside } from "./customers.server"
import { madeThere, rowOf } from "./ensure-external-order.server"
import { isOnItsWay } from "./find-external-order.server"
import { promotionBeside } from "./promotions.server"
import { closeThere, takeOver } from "./reconcile-orders.server"
import { currentId, servicesBeside } from "./services.server"

/**
 * The books of a shop whose customers, invoices and services are kept elsewhere. An order is written down here first
 * and made there then; what happens to it is told in our timeline, and to them.
 */
export function billingBeside(beside: Beside): Billing {
  const { ours, backoffice, books, later } = beside
  const named = (id: string) => currentId(books, id)
  return {
    ...ours.billing,
    ...priceListBeside(beside),
    gateways: () => backoffice.gateways(),
    promotion: (code) => promotionBeside(beside, code),
    ...customersBeside(beside),
    ...servicesBeside(beside),

    async recordClick(click) {
      const isNew = await ours.billing.recordClick(click)
      if (isNew) later("affiliate click", () => backoffice.recordClick(click))
      return isNew
    },

    async checkFraud(visitor) {
      const { address } = visitor
      const [verdict, welcome] = await Promise.all([
        ours.billing.checkFraud(visitor),
        address === null ? true : backoffice.isWelcome(address),
      ])
      return verdict.valid && !welcome ? { valid: false, reason: "the billing system says so" } : verdict
    },

    async fraudOrder(id, reason, at) {
      await ours.billing.fraudOrder(id, reason, at)
      await closed(beside, await ours.billing.order(id))
    },

    async placeOrder(wish) {
      if (wish.promoCode !== null) await promotionBeside(beside, wish.promoCode)
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

    async moveOrder(id, event, at, reference = null) {
      const order = await ours.billing.moveOrder(id, event, at, reference)
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
      if (wish.promoCode !== null) await promotionBeside(beside, wish.promoCode)
      return made(beside, await ours.billing.requoteOrder(id, wish))
    },

    takeOver: (now, most) => takeOver(beside, now, most),
    activateService: async (id, access, at) => ours.billing.activateService(await named(id), access, at),
    setDeviceAddress: async (id, address) => ours.billing.setDeviceAddress(await named(id), address),
    tellRestart: async (id, at) => ours.billing.tellRestart(await named(id), at),
    promiseAnew: async (id, at, until) => ours.billing.promiseAnew(await named(id), at, until),
    recreateService: async (id, access, at) => ours.billing.recreateService(await named(id), access, at),
    endService: async (id) => ours.billing.endService(await named(id)),
    reviveService: async (id, access, at) => ours.billing.reviveService(await named(id), access, at),
  }
}

/** The same order, under their name for its service; as it is here while it is not known whether they have it. */
async function made(beside: Beside, order: Order): Promise<Order> {
  await isMade(beside, order)
  return (await beside.ours.billing.order(order.id)) ?? order
}

/**
 * Has an order made there; false while it is not known whether they have it. One they will not have comes to nothing
 * here too, and its key is free again; one that could not be made for now stays, and the same key goes on with it.
 */
async function isMade(beside: Beside, order: Order): Promise<boolean> {
  if (givenUp.includes(order.status)) return true
  try {
    await madeThere(beside, order.id, "page")
    return true
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return mayGoOn(beside, order, error)
  }
}

async function mayGoOn(beside: Beside, order: Order, error: BillingError): Promise<boolean> {
  // What nothing is owed for is the buyer's: the job that sets it up tries again.
  if (bought.includes(order.status)) return true
  if (error instanceof OrderPending) return false
  if (error.kind === "refused") await withdraw(beside, order)
  throw error
}

async function isClosedThere({ books }: Beside, orderId: string): Promise<boolean> {
  return (await rowOf(books, orderId))?.state === "closed"
}

async function withdraw({ ours, books }: Beside, { id, placedAt }: Order): Promise<void> {
  await ours.billing.moveOrder(id, "aborted", placedAt)
  await takeNewKey(books, id)
}

async function closed(beside: Beside, order: Order | null): Promise<void> {
  if (order && givenUp.includes(order.status)) beside.later("order given up", () => closeThere(beside, order))
}
