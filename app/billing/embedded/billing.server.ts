import type { Billing } from "~/billing/billing"
import { productsPricedAt } from "./catalogue/catalogue.server"
import { promotion, promotionUses, promotionUsesBy } from "./catalogue/promotions.server"
import { businessOf, setBusiness } from "./customers/businesses.server"
import { countryOf } from "./customers/country-of.server"
import {
  customerById,
  customerOf,
  endSignUpPassword,
  identify,
  setPassword,
  signIn,
} from "./customers/customers.server"
import { type DbContext, guarded, inTransaction, nowIn } from "./db/transaction.server"
import { recordNumberCheck } from "./documents/number-checks.server"
import { correctEmail } from "./email-changes/correct-email.server"
import { recordClick } from "./fraud/affiliate-clicks.server"
import { isDeviceBlocked } from "./fraud/block-list.server"
import { checkFraud } from "./fraud/check-fraud.server"
import { applyOrderEvent, flagOrder } from "./fulfilment/order-transitions.server"
import {
  activateService,
  markConnectionsProvisioned,
  markPlanProvisioned,
  recordProvisioningDelay,
} from "./fulfilment/record-provisioning.server"
import { enqueueClaimed } from "./jobs/outbox.server"
import { netPaidOf } from "./ledger/net-of-refunds.server"
import {
  externalInvoiceOf,
  order,
  orderByIdempotencyKey,
  orderByInvoice,
  overdueOrders,
  paidOrdersOf,
  paidOrdersOfCustomer,
  partlyPaidOrderOf,
} from "./orders/orders.server"
import { timeline } from "./orders/timeline.server"
import { recordWithdrawal } from "./orders/withdrawal.server"
import { gatewaysNotDrained } from "./payments/gateway-drains.server"
import { eraseInactiveCustomers } from "./privacy/retention.server"
import { addInvoice } from "./purchases/add-invoice.server"
import { dueBalanceRenewals, renewFromBalance, setBalanceRenewal } from "./purchases/balance-renewal.server"
import { refuseOrder, releaseOrder, requoteOrder } from "./purchases/held-orders.server"
import { placeOrder } from "./purchases/place-order.server"
import { placePlanChange, planChangeOf } from "./purchases/place-plan-change.server"
import { placeRenewal, renewalItems, unpaidRenewals } from "./purchases/place-renewal.server"
import { payableTopUps, placeTopUp } from "./purchases/place-top-up.server"
import { resellerCreditsOf } from "./reseller-credits/credit-history.server"
import { creditsSold } from "./reseller-credits/sold-credits.server"
import { createLine } from "./resellers/create-line.server"
import { cancelLine, extendLines, linesOnCredit, planOrdersOf } from "./resellers/extend-lines.server"
import { linesEndedEarly } from "./resellers/lines-ended-early.server"
import { isReseller, resellerAuth } from "./resellers/reseller-auth.server"
import { startEarlierTerms } from "./services/earlier-terms.server"
import { chooseNextPlan, keepPlan, nextPlan, startNextPlan } from "./services/next-plan.server"
import {
  declineRenewal,
  lowerRenewalPrice,
  renewalTerms,
  resumeRenewal,
} from "./services/renewal-terms.server"
import { planFacts } from "./services/service-purchases.server"
import {
  dropDeviceRequest,
  recordRestart,
  recreateService,
  requestDevice,
  service,
  servicesOf,
  setDeviceAddress,
  setNotes,
} from "./services/services.server"
import { markTerminated, reactivateService } from "./services/terminated-services.server"

/** Creates the `Billing` port on the embedded database. */
export function embeddedBilling(ctx: DbContext): Billing {
  return guarded<Billing>(ctx, {
    plans: (db) => productsPricedAt(db, "plan", nowIn(db)),
    resellerPlans: (db) => productsPricedAt(db, "reseller", nowIn(db)),
    gateways: gatewaysNotDrained,
    promotion,
    promotionUses,
    promotionUsesBy,
    identify,
    countryOf,
    customerOf,
    customerById,
    signIn,
    setPassword: (db, customer, password, now) => setPassword(db, customer, { password, now }),
    endSignUpPassword,
    businessOf,
    setBusiness,
    servicesOf,
    eraseInactiveCustomers: (db, before, limit) =>
      eraseInactiveCustomers(db, { before, limit, passwords: "erase" }),
    isReseller,
    resellerAuth,
    resellerCredits: resellerCreditsOf,
    createLine,
    planOrdersOf,
    linesOnCredit: (db, customerId, ids) => linesOnCredit(db, { customerId, ids }),
    creditsSold,
    linesEndedEarly: (db, customerId, ids) => linesEndedEarly(db, { customerId, ids }),
    extendLines,
    cancelLine,
    recordClick,
    checkFraud,
    isDeviceBlocked,
    fraudOrder: (db, id, reason, at) => flagOrder(db, id, { reason, at }),
    placeOrder,
    addInvoice,
    placeTopUp,
    payableTopUps: (db, customerId, currency, at) => payableTopUps(db, { customerId, currency, at }),
    correctEmail,
    placeRenewal: (db, renewal) => inTransaction(db, (tx) => placeRenewal(tx, renewal)),
    setBalanceRenewal: (db, id, isOn, at) => setBalanceRenewal(db, id, { isOn, at }),
    dueBalanceRenewals: (db, at, after, limit) => dueBalanceRenewals(db, { at, after, limit }),
    renewFromBalance,
    renewalItems,
    unpaidRenewals: (db, serviceId, at) => unpaidRenewals(db, { serviceId, at }),
    renewalTerms,
    lowerRenewalPrice: (db, id, to, at) => lowerRenewalPrice(db, id, { to, at }),
    declineRenewal: (db, id, reason, at) => declineRenewal(db, id, { reason, at }),
    resumeRenewal,
    order,
    orderByIdempotencyKey,
    orderByInvoice,
    externalInvoiceOf,
    paidOrdersOf,
    partlyPaidOrderOf: (db, serviceId, at) => partlyPaidOrderOf(db, { serviceId, at }),
    paidOrdersOfCustomer,
    recordNumberCheck,
    netPaidOf,
    timeline,
    applyOrderEvent: (db, id, event, at, reference) => applyOrderEvent(db, id, { event, at, reference }),
    releaseOrder,
    refuseOrder,
    requoteOrder,
    overdueOrders,
    service,
    activateService: (db, id, { host }, at) => activateService(db, id, { host, at }),
    recordProvisioningDelay,
    requestDevice,
    setDeviceAddress,
    dropDeviceRequest,
    setNotes,
    recordRestart,
    recordWithdrawal,
    scheduleRecreation: (db, subject, at, due) => enqueueClaimed(db, { topic: "recreate", subject, at, due }),
    recreateService: (db, former, credentials, at) => recreateService(db, former, { credentials, at }),
    markTerminated,
    reactivateService: (db, id, credentials, at) => reactivateService(db, id, { credentials, at }),
    markConnectionsProvisioned,
    planFacts,
    nextPlan,
    placePlanChange,
    planChangeOf,
    chooseNextPlan: (db, id, plan, at) => chooseNextPlan(db, id, { plan, at }),
    keepPlan,
    startNextPlan,
    markPlanProvisioned,
    startEarlierTerms,
  })
}
