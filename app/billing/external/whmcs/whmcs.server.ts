import type { ExternalBilling } from "~/billing/external/external-billing"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import { normalizeEmail } from "~/domain/customers/email"
import { currenciesAt } from "./catalogue/currencies.server"
import { productCatalogue } from "./catalogue/products.server"
import { promotionAt } from "./catalogue/promotions.server"
import { whmcsApi } from "./client/api.server"
import { wallClock } from "./client/wall-clock"
import type { Whmcs } from "./context.server"
import { clientBy, clientFor, customerAs, ownerOf } from "./customers/clients.server"
import { withPresentClient } from "./customers/merged-client.server"
import { signedIn, signUpOrSignIn } from "./customers/sign-in.server"
import { paymentModules } from "./diagnostics/diagnose-setup.server"
import { diagnose } from "./diagnostics/diagnostics.server"
import { findInvoice } from "./orders/find-invoice.server"
import { findOrder } from "./orders/find-order.server"
import { cancelOrder, fraudOrder, orderStatusOf } from "./orders/order-status.server"
import { placeOrder } from "./orders/place-order.server"
import { carryOutUpgrade, planUpgrades } from "./orders/plan-upgrades.server"
import { provision } from "./orders/provision-order.server"
import { addInvoice } from "./orders/upgrades.server"
import { payInvoice } from "./payments/pay-renewal.server"
import { unpaidRenewals } from "./payments/renewal-invoices.server"
import { restart, setDeviceAddress, setNotes, terminate } from "./services/service-changes.server"
import { findExternalService, findExternalServices, hasResellerPlan } from "./services/services.server"
import type { WhmcsSettings } from "./settings"

/**
 * Implements `ExternalBilling` on the WHMCS API (https://developers.whmcs.com/api-reference/). The shop's own gateways
 * collect payments, and the adapter records them in WHMCS. The settings define what the API has no action for: restart,
 * device address and reseller credits. Sends no request before the first call.
 */
export function openWhmcs(settings: WhmcsSettings): ExternalBilling {
  const api = whmcsApi(settings)
  const whmcs: Whmcs = {
    settings,
    api,
    clock: wallClock(settings.timeZone),
    dueDays: wallClock(settings.dueTimeZone ?? settings.timeZone),
    currencies: currenciesAt(api),
    products: productCatalogue(api, settings),
  }
  return {
    payments: null,
    invoices: {
      unpaidRenewals: (customerId) => unpaidRenewals(whmcs, customerId),
      payInvoice: (paid, beforeWrite) =>
        withPresentClient(whmcs, paid, (invoice) => payInvoice(whmcs, invoice, beforeWrite)),
    },
    upgrades: {
      ...planUpgrades(whmcs),
      carryOutUpgrade: (paid) => withPresentClient(whmcs, paid, (upgrade) => carryOutUpgrade(whmcs, upgrade)),
    },
    diagnose: (now) => diagnose(whmcs, now),

    plans: () => whmcs.products.plans("plan"),
    resellerPlans: () => whmcs.products.plans("reseller"),
    gateways: () => paymentModules(whmcs),
    promotion: (code) => promotionAt(whmcs, code),

    hasSingleCurrency: true,
    identify: oneAtATime(whmcs),
    async customerOf(email) {
      const client = await clientBy(whmcs, email)
      return client && customerAs(whmcs, client)
    },
    signIn: (proof) => signedIn(whmcs, proof),
    resellerAuth: (request) => signUpOrSignIn(whmcs, request),
    // WHMCS has no action that sets a client's password, and does not report whether the client chose it.
    passwords: null,
    isReseller: ({ customerId }) => hasResellerPlan(whmcs, customerId),
    async recordClick({ affiliateId, referer }) {
      if (settings.countClicks && /^\d{1,9}$/.test(affiliateId)) await api.click(affiliateId, referer)
    },
    /** WHMCS's fraud modules check orders (OrderFraudCheck), not visitors before an order. */
    passesFraudCheck: null,

    placeOrder: (order) => placeOrder(whmcs, order),
    findOrder: (order) => findOrder(whmcs, order),
    addInvoice: (upsell) => addInvoice(whmcs, upsell),
    findInvoice: (upsell) => findInvoice(whmcs, upsell),
    cancelOrder: (owned) => withPresentClient(whmcs, owned, (order) => cancelOrder(whmcs, order)),
    fraudOrder: (owned) => withPresentClient(whmcs, owned, (order) => fraudOrder(whmcs, order)),
    orderStatus: (owned) => withPresentClient(whmcs, owned, (order) => orderStatusOf(whmcs, order)),

    ownerOf: (serviceId) => ownerOf(whmcs, serviceId),
    services: (customerId) => findExternalServices(whmcs, customerId),
    service: (owner) => findExternalService(whmcs, owner),
    provision: (paid, beforePayment) =>
      withPresentClient(whmcs, paid, (order) => provision(whmcs, order, beforePayment)),
    terminate: (service) => terminate(whmcs, service),
    restart: (service) => restart(whmcs, service),
    setDeviceAddress: (service, address) => setDeviceAddress(whmcs, service, address),
    setNotes: (service, notes) => setNotes(whmcs, service, notes),
  }
}

/** Coalesces concurrent calls for one email (single flight per process), so that WHMCS creates no duplicate clients. */
function oneAtATime(whmcs: Whmcs): ExternalBilling["identify"] {
  const running = new Map<string, Promise<ExternalCustomer>>()
  return (visitor) => {
    const key = normalizeEmail(visitor.email)
    const customer = running.get(key) ?? clientFor(whmcs, visitor).finally(() => running.delete(key))
    running.set(key, customer)
    return customer
  }
}
