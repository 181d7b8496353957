import type { Billing } from "~/billing/billing"
import { gatewayIds } from "~/domain/gateway-id"
import { products } from "./catalogue/catalogue.server"
import { promotion, promotionUses } from "./catalogue/promotions.server"
import {
  customerOf,
  endSignUpPassword,
  identify,
  servicesOf,
  setPassword,
  signIn,
} from "./customers/customers.server"
import { type Books, told } from "./db/transaction.server"
import { recordClick } from "./fraud/affiliate-clicks.server"
import { checkFraud } from "./fraud/check-fraud.server"
import { addInvoice } from "./orders/add-invoice.server"
import { refuseOrder, releaseOrder, requoteOrder } from "./orders/held-orders.server"
import { flagOrder, moveOrder } from "./orders/order-transitions.server"
import { order, orderOfInvoice, orderOfKey, overdueOrders } from "./orders/orders.server"
import { placeOrder } from "./orders/place-order.server"
import { timeline } from "./orders/timeline.server"
import { promiseHeld } from "./outbox.server"
import { forgetUnpaid } from "./privacy/retention.server"
import { createLine } from "./reseller-credits/create-line.server"
import { creditsOf } from "./reseller-credits/credit-history.server"
import { isReseller, resellerAuth } from "./reseller-credits/reseller-auth.server"
import * as services from "./services/services.server"
import { endService, reviveService } from "./services/terminated-services.server"

/** The books as checkout sees them. */
export function billingOf(books: Books): Billing {
  return {
    plans: () => told(products(books, "plan")),
    resellerPlans: () => told(products(books, "reseller")),
    // Our own books have no list of their own: they take money by whatever module the shop has.
    gateways: async () => gatewayIds,
    promotion: (code) => told(promotion(books, code)),
    promotionUses: (code) => told(promotionUses(books, code)),
    identify: (visitor) => told(identify(books, visitor)),
    customerOf: (email) => told(customerOf(books, email)),
    signIn: (proof) => told(signIn(books, proof)),
    setPassword: (customer, password, now) => told(setPassword(books, customer, { password, now })),
    endSignUpPassword: (customerId, at) => told(endSignUpPassword(books, customerId, at)),
    servicesOf: (customer) => told(servicesOf(books, customer)),
    forgetUnpaid: (before, most) => told(forgetUnpaid(books, { before, most, passwords: "erase" })),
    isReseller: (customerId) => told(isReseller(books, customerId)),
    resellerAuth: (account) => told(resellerAuth(books, account)),
    credits: (customer, most) => told(creditsOf(books, customer, most)),
    createLine: (line) => told(createLine(books, line)),
    recordClick: (click) => told(recordClick(books, click)),
    checkFraud: (visitor) => told(checkFraud(books, visitor)),
    fraudOrder: (id, reason, at) => told(flagOrder(books, id, { reason, at })),
    placeOrder: (wish) => told(placeOrder(books, wish)),
    addInvoice: (wish) => told(addInvoice(books, wish)),
    order: (id) => told(order(books, id)),
    orderOfKey: (key) => told(orderOfKey(books, key)),
    orderOfInvoice: (id) => told(orderOfInvoice(books, id)),
    timeline: (orderId) => told(timeline(books, orderId)),
    moveOrder: (id, event, at, reference = null) => told(moveOrder(books, id, { event, at, reference })),
    releaseOrder: (id, release) => told(releaseOrder(books, id, release)),
    refuseOrder: (id, refusal) => told(refuseOrder(books, id, refusal)),
    requoteOrder: (id, wish) => told(requoteOrder(books, id, wish)),
    overdueOrders: (now, most) => told(overdueOrders(books, now, most)),
    takeOver: async () => 0,
    service: (id) => told(services.service(books, id)),
    activateService: (id, { host }, at) => told(services.activateService(books, id, { host, at })),
    tellDelay: (orderId, at) => told(services.tellDelay(books, orderId, at)),
    setDeviceAddress: (id, address) => told(services.setDeviceAddress(books, id, address)),
    setNotes: (id, notes) => told(services.setNotes(books, id, notes)),
    tellRestart: (id, at) => told(services.tellRestart(books, id, at)),
    completeOrder: async (it) => it,
    isOnItsWay: async () => false,
    promiseAnew: (id, at, until) =>
      told(promiseHeld(books, { topic: "recreate", subject: id, at, due: until })),
    recreateService: (id, credentials, at) => told(services.recreateService(books, id, { credentials, at })),
    endService: (id) => told(endService(books, id)),
    reviveService: (id, credentials, at) => told(reviveService(books, id, { credentials, at })),
    connectionsSet: (orderId, at) => told(services.connectionsSet(books, orderId, at)),
  }
}
