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
import { enqueueClaimed } from "./outbox.server"
import { eraseInactiveCustomers } from "./privacy/retention.server"
import { createLine } from "./reseller-credits/create-line.server"
import { resellerCreditsOf } from "./reseller-credits/credit-history.server"
import { isReseller, resellerAuth } from "./reseller-credits/reseller-auth.server"
import * as services from "./services/services.server"
import { markTerminated, reactivateService } from "./services/terminated-services.server"

/** Creates the `Billing` port on the embedded database. */
export function embeddedBilling(ctx: DbContext): Billing {
  return {
    plans: () => withBillingErrors(products(ctx, "plan")),
    resellerPlans: () => withBillingErrors(products(ctx, "reseller")),
    // Embedded billing restricts no gateways: every gateway module of the shop is available.
    gateways: async () => gatewayIds,
    promotion: (code) => withBillingErrors(promotion(ctx, code)),
    promotionUses: (code) => withBillingErrors(promotionUses(ctx, code)),
    identify: (visitor) => withBillingErrors(identify(ctx, visitor)),
    customerOf: (email) => withBillingErrors(customerOf(ctx, email)),
    signIn: (proof) => withBillingErrors(signIn(ctx, proof)),
    setPassword: (customer, password, now) =>
      withBillingErrors(setPassword(ctx, customer, { password, now })),
    endSignUpPassword: (customerId, at) => withBillingErrors(endSignUpPassword(ctx, customerId, at)),
    servicesOf: (customer) => withBillingErrors(servicesOf(ctx, customer)),
    eraseInactiveCustomers: (before, limit) =>
      withBillingErrors(eraseInactiveCustomers(ctx, { before, limit, passwords: "erase" })),
    isReseller: (customerId) => withBillingErrors(isReseller(ctx, customerId)),
    resellerAuth: (request) => withBillingErrors(resellerAuth(ctx, request)),
    resellerCredits: (customer, limit) => withBillingErrors(resellerCreditsOf(ctx, customer, limit)),
    createLine: (line) => withBillingErrors(createLine(ctx, line)),
    recordClick: (click) => withBillingErrors(recordClick(ctx, click)),
    checkFraud: (visitor) => withBillingErrors(checkFraud(ctx, visitor)),
    fraudOrder: (id, reason, at) => withBillingErrors(flagOrder(ctx, id, { reason, at })),
    placeOrder: (request) => withBillingErrors(placeOrder(ctx, request)),
    addInvoice: (request) => withBillingErrors(addInvoice(ctx, request)),
    order: (id) => withBillingErrors(order(ctx, id)),
    orderByIdempotencyKey: (key) => withBillingErrors(orderByIdempotencyKey(ctx, key)),
    orderByInvoice: (id) => withBillingErrors(orderByInvoice(ctx, id)),
    timeline: (orderId) => withBillingErrors(timeline(ctx, orderId)),
    applyOrderEvent: (id, event, at, reference = null) =>
      withBillingErrors(applyOrderEvent(ctx, id, { event, at, reference })),
    releaseOrder: (id, release) => withBillingErrors(releaseOrder(ctx, id, release)),
    refuseOrder: (id, rejection) => withBillingErrors(refuseOrder(ctx, id, rejection)),
    requoteOrder: (id, request) => withBillingErrors(requoteOrder(ctx, id, request)),
    overdueOrders: (now, limit) => withBillingErrors(overdueOrders(ctx, now, limit)),
    reconcileExternalOrders: async () => 0,
    service: (id) => withBillingErrors(services.service(ctx, id)),
    activateService: (id, { host }, at) => withBillingErrors(services.activateService(ctx, id, { host, at })),
    recordProvisioningDelay: (orderId, at) =>
      withBillingErrors(services.recordProvisioningDelay(ctx, orderId, at)),
    setDeviceAddress: (id, address) => withBillingErrors(services.setDeviceAddress(ctx, id, address)),
    setNotes: (id, notes) => withBillingErrors(services.setNotes(ctx, id, notes)),
    recordRestart: (id, at) => withBillingErrors(services.recordRestart(ctx, id, at)),
    completeOrder: async (it) => it,
    isBeingPlaced: async () => false,
    scheduleRecreation: (id, at, until) =>
      withBillingErrors(enqueueClaimed(ctx, { topic: "recreate", subject: id, at, due: until })),
    recreateService: (id, credentials, at) =>
      withBillingErrors(services.recreateService(ctx, id, { credentials, at })),
    markTerminated: (id) => withBillingErrors(markTerminated(ctx, id)),
    reactivateService: (id, credentials, at) =>
      withBillingErrors(reactivateService(ctx, id, { credentials, at })),
    markConnectionsProvisioned: (orderId, at) =>
      withBillingErrors(services.markConnectionsProvisioned(ctx, orderId, at)),
  }
}
