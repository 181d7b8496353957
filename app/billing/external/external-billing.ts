import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue"
import type { Promotion } from "~/domain/promotion"
import type { ExternalCustomers } from "./external-customers"
import type { ExternalOrders, ExternalPayments } from "./external-orders"
import type { ExternalServices } from "./external-services"

/**
 * Somebody else's billing system: a server that speaks section 7 of the spec, or WHMCS. Price list, customers,
 * invoices and services are theirs, under their ids. We keep small books beside it: what has been ordered here, how
 * it was paid, and what is still to be told to them; so nothing here has to be asked twice by a buyer.
 *
 * Every call may throw a `BillingError`: `refused` when they said no, `unavailable` when they did not answer (it may
 * have been carried out nevertheless), `unreadable` when they answered nonsense. Calls that only read may be
 * repeated by the adapter; those that write are made once.
 */
export interface ExternalBilling
  extends ExternalCatalogue,
    ExternalCustomers,
    ExternalOrders,
    ExternalServices {
  /** Null: the shop's own gateways take the money, and `setUp` reports it. Otherwise they take it themselves. */
  readonly payments: ExternalPayments | null
  /** What an operator who has just set this up wants to know, one line each. Throws nothing: no answer is a finding. */
  diagnose(now: Instant): Promise<readonly Diagnostic[]>
}

export interface ExternalCatalogue {
  /** Plans for viewers, in their order (spec: getProducts). */
  plans(): Promise<readonly Product[]>
  /** Plans for resellers, in their order, with the lines they let a reseller make (spec: getResellersProducts). */
  resellerPlans(): Promise<readonly Product[]>
  /** Names of their payment modules (spec: getGateway). */
  gateways(): Promise<readonly string[]>
  /** A code, however it is typed; null when they do not know it (spec: getPromotion). */
  promotion(code: string): Promise<ExternalPromotion | null>
}

/** `maxUses`: null is without limit. `uses`: by orders made here and elsewhere. */
export type ExternalPromotion = Omit<Promotion, "remainingUses"> & {
  readonly maxUses: number | null
  readonly uses: number
  /** They take a use off again when an order comes to nothing. */
  readonly releasesUses: boolean
}
