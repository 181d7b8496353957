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
import { type DbContext, withBillingErrors } from "./db/transaction.server"
import { recordClick } from "./fraud/affiliate-clicks.server"
import { checkFraud } from "./fraud/check-fraud.server"
import { addInvoice } from "./orders/add-invoice.server"
import { refuseOrder, releaseOrder, requoteOrder } from "./orders/held-orders.server"
import { applyOrderEvent, flagOrder } from "./orders/order-transitions.server"
import { order, orderByIdempotencyKey, orderByInvoice, overdueOrders } from "./orders/orders.server"
import { placeOrder } from "./orders/place-order.server"
import { timeline } from "./orders/timeline.server"
import { promiseHeld } from "./outbox.server"
import { eraseInactiveCustomers } from "./privacy/retention.server"
import { createLine } from "./reseller-credits/create-line.server"
import { creditsOf } from "./reseller-credits/credit-history.server"
import { isReseller, resellerAuth } from "./reseller-credits/reseller-auth.server"
import * as services from "./services/services.server"
import { markTerminated, reactivateService } from "./services/terminated-services.server"

/** The books as checkout sees them. */
export function embeddedBilling(books: DbContext): Billing {
  return {
    plans: () => withBillingErrors(products(books, "plan")),
    resellerPlans: () => withBillingErrors(products(books, "reseller")),
    // Our own books have no list of their own: they take money by whatever module the shop has.
    gateways: async () => gatewayIds,
    promotion: (code) => withBillingErrors(promotion(books, code)),
    promotionUses: (code) => withBillingErrors(promotionUses(books, code)),
    identify: (visitor) => withBillingErrors(identify(books, visitor)),
    customerOf: (email) => withBillingErrors(customerOf(books, email)),
    signIn: (proof) => withBillingErrors(signIn(books, proof)),
    setPassword: (customer, password, now) =>
      withBillingErrors(setPassword(books, customer, { password, now })),
    endSignUpPassword: (customerId, at) => withBillingErrors(endSignUpPassword(books, customerId, at)),
    servicesOf: (customer) => withBillingErrors(servicesOf(books, customer)),
    eraseInactiveCustomers: (before, most) =>
      withBillingErrors(eraseInactiveCustomers(books, { before, most, passwords: "erase" })),
    isReseller: (customerId) => withBillingErrors(isReseller(books, customerId)),
    resellerAuth: (account) => withBillingErrors(resellerAuth(books, account)),
    credits: (customer, most) => withBillingErrors(creditsOf(books, customer, most)),
    createLine: (line) => withBillingErrors(createLine(books, line)),
    recordClick: (click) => withBillingErrors(recordClick(books, click)),
    checkFraud: (visitor) => withBillingErrors(checkFraud(books, visitor)),
    fraudOrder: (id, reason, at) => withBillingErrors(flagOrder(books, id, { reason, at })),
    placeOrder: (wish) => withBillingErrors(placeOrder(books, wish)),
    addInvoice: (wish) => withBillingErrors(addInvoice(books, wish)),
    order: (id) => withBillingErrors(order(books, id)),
    orderByIdempotencyKey: (key) => withBillingErrors(orderByIdempotencyKey(books, key)),
    orderByInvoice: (id) => withBillingErrors(orderByInvoice(books, id)),
    timeline: (orderId) => withBillingErrors(timeline(books, orderId)),
    applyOrderEvent: (id, event, at, reference = null) =>
      withBillingErrors(applyOrderEvent(books, id, { event, at, reference })),
    releaseOrder: (id, release) => withBillingErrors(releaseOrder(books, id, release)),
    refuseOrder: (id, refusal) => withBillingErrors(refuseOrder(books, id, refusal)),
    requoteOrder: (id, wish) => withBillingErrors(requoteOrder(books, id, wish)),
    overdueOrders: (now, most) => withBillingErrors(overdueOrders(books, now, most)),
    reconcileExternalOrders: async () => 0,
    service: (id) => withBillingErrors(services.service(books, id)),
    activateService: (id, { host }, at) =>
      withBillingErrors(services.activateService(books, id, { host, at })),
    recordProvisioningDelay: (orderId, at) =>
      withBillingErrors(services.recordProvisioningDelay(books, orderId, at)),
    setDeviceAddress: (id, address) => withBillingErrors(services.setDeviceAddress(books, id, address)),
    setNotes: (id, notes) => withBillingErrors(services.setNotes(books, id, notes)),
    recordRestart: (id, at) => withBillingErrors(services.recordRestart(books, id, at)),
    completeOrder: async (it) => it,
    isOnItsWay: async () => false,
    scheduleRecreation: (id, at, until) =>
      withBillingErrors(promiseHeld(books, { topic: "recreate", subject: id, at, due: until })),
    recreateService: (id, credentials, at) =>
      withBillingErrors(services.recreateService(books, id, { credentials, at })),
    markTerminated: (id) => withBillingErrors(markTerminated(books, id)),
    reactivateService: (id, credentials, at) =>
      withBillingErrors(reactivateService(books, id, { credentials, at })),
    markConnectionsProvisioned: (orderId, at) =>
      withBillingErrors(services.markConnectionsProvisioned(books, orderId, at)),
  }
}
