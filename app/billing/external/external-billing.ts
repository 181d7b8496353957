import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"
import type { ExternalCustomers } from "./external-customers"
import type { ExternalInvoices } from "./external-invoices"
import type { ExternalOrders, ExternalPayments } from "./external-orders"
import type { ExternalServices } from "./external-services"
import type { ExternalUpgrades } from "./external-upgrades"

/**
 * Port of an external billing system: a server with the billing API (specification, Billing API), or WHMCS. It owns catalogue, customers,
 * invoices and services under its own ids. The mirror stores local orders, their payments and the updates still to be
 * sent, so that no buyer has to repeat a request.
 *
 * Every call may throw a `BillingError`. `refused`: the system rejected the call. `unavailable`: no response; the call
 * may have been carried out. `unreadable`: the response could not be parsed. Adapters may retry calls that only read;
 * calls that write are sent once.
 */
export interface ExternalBilling
  extends ExternalCatalogue,
    ExternalCustomers,
    ExternalOrders,
    ExternalServices {
  /** Null: the shop's own gateways take payments, and `provision` reports them. Otherwise the system takes them. */
  readonly payments: ExternalPayments | null
  /** Null: the system's API has no renewal invoices. */
  readonly invoices: ExternalInvoices | null
  /** Null: the system's API cannot change the plan of a service. */
  readonly upgrades: ExternalUpgrades | null
  /** Checks connection and configuration for the operator. Throws no `BillingError`: a failed call is a diagnostic. */
  diagnose(now: Instant): Promise<readonly Diagnostic[]>
}

export interface ExternalCatalogue {
  /** Viewer plans in catalogue order (billing API: getProducts). */
  plans(): Promise<readonly Product[]>
  /** Reseller plans in catalogue order, with the credits they include (billing API: getResellersProducts). */
  resellerPlans(): Promise<readonly Product[]>
  /** Names of the system's payment modules (billing API: getGateway). */
  gateways(): Promise<readonly string[]>
  /**
   * The promotion of a code as the customer typed it; null if the system does not know it (billing API: getPromotion). Throws a
   * `CodeRejectedError` if the system says why it rejects the code.
   */
  promotion(code: string): Promise<ExternalPromotion | null>
}

/** `maxUses`: null means no limit. `uses`: by orders of this shop and all others. */
export type ExternalPromotion = Omit<Promotion, "remainingUses"> & {
  readonly maxUses: number | null
  readonly uses: number
  /** The system decrements `uses` when an order is cancelled. */
  readonly releasesUses: boolean
}
