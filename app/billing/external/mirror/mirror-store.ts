import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ExternalClosing, ExternalOrder, PlacedExternally } from "~/billing/external/external-orders"
import type { ExternalService, PaymentRecord } from "~/billing/external/external-services"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { InvoiceSettlement } from "~/billing/services/invoice-renewals"
import type { NewPlanUpgrade } from "~/billing/services/plan-upgrades"
import type { NewRenewal } from "~/billing/services/renewals"
import type { Instant } from "~/domain/calendar"
import type { Product, ProductKind } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"
import type { Country } from "~/domain/customers/country"
import type { AccessLevel, AccessScope, Customer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency, Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { OrderStatus } from "~/domain/orders/order-status"
import type { Credentials } from "~/domain/services/credentials"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { Service } from "~/domain/services/service"
import type { ExternalOrderRow } from "./external-order-row"

/**
 * What the mirror needs of the embedded engine besides its ports: local copies of the external catalogue, customers and
 * services, and the table of external orders. The engine implements it in `embedded/mirror-store`. Errors of the database
 * are thrown unchanged: only external billing may refuse an order here.
 */
export interface MirrorStore
  extends MirroredCatalogue,
    MirroredCustomers,
    MirroredOrders,
    MirroredServices,
    MirroredRenewals,
    MirroredUpgrades,
    ExternalOrderTable {}

export interface MirroredCatalogue {
  /** Products of a kind as last stored, in catalogue order. */
  products(kind: ProductKind): Promise<readonly Product[]>
  replaceProducts(kind: ProductKind, products: readonly Product[]): Promise<void>
  /** Stores a promotion. One that exists keeps its number of local uses. */
  savePromotion(promotion: MirroredPromotion): Promise<void>
  /** Number of local orders with a promo code that exist in external billing, and of those closed there since. */
  externalOrdersWithCode(code: string): Promise<{ made: number; closed: number }>
}

/** `maxUses`: uses left for local orders; null: unlimited. */
export type MirroredPromotion = Omit<Promotion, "remainingUses"> & { readonly maxUses: number | null }

export interface MirroredCustomers {
  customer(id: string): Promise<MirroredCustomer | null>
  /**
   * Upserts a customer, whose e-mail external billing may have changed. Another customer who had the e-mail before loses it, and the
   * local password. False, without any change: the id is another customer's here (`ExternalCustomer.key`).
   */
  saveCustomer(customer: NewMirroredCustomer): Promise<boolean>
  /** Verifies a local password. Without one it takes as long, and the result is `no-password`. */
  signInLocally(proof: { email: string; password: string }): Promise<Customer | null | "no-password">
  /**
   * Records the scope that the external password proves, and removes the local password. `ended`: ends the earlier
   * sessions of that scope.
   */
  setExternalScope(id: string, scope: AccessScope, ended?: Instant): Promise<void>
  /** Disables the external password: a random local one takes precedence over it. Ends sessions with sign-up scope. */
  disableExternalPassword(id: string, at: Instant): Promise<void>
  /** Records a sign-up whose outcome is not known yet; returns its id. */
  recordSignUp(signUp: { email: string; at: Instant }): Promise<string>
  /** Removes a sign-up that created no account. */
  removeSignUp(id: string): Promise<void>
  /** Whether external billing received a sign-up of this e-mail whose outcome is not recorded. */
  hasUnresolvedSignUp(email: string): Promise<boolean>
  /** Removes all unresolved sign-ups of an e-mail, once the scope of its password is recorded. */
  resolveSignUps(email: string): Promise<void>
  /** Like `Customers.eraseInactiveCustomers`, but keeps passwords: an erased customer may have purchases externally. */
  eraseInactiveCustomers(before: Instant, limit: number): Promise<number>
}

export type MirroredCustomer = Pick<Customer, "id" | "email" | "locale" | "currency"> & {
  readonly isErased: boolean
  /** Access level that the password proves; null: not recorded. */
  readonly passwordScope: AccessLevel | null
  /** Id of the sign-up password; null with another scope. */
  readonly passwordId: string | null
  /** Null: not known; empty: external billing has given the customer's id to another one. */
  readonly key: string | null
}

export type NewMirroredCustomer = {
  readonly id: string
  readonly email: string
  readonly locale: LocaleCode
  readonly currency: Currency
  readonly country: Country | null
  readonly address: string | null
  readonly at: Instant
} & Pick<ExternalCustomer, "key" | "isNew">

export interface MirroredOrders {
  /** Data of the buyer of an order. Throws if the order does not exist. */
  buyer(orderId: string): Promise<Pick<ExternalOrder, "email" | "country" | "address" | "affiliateId">>
  /** Payments received for an order, oldest first: one for each transaction id, whatever parts it came in. */
  paymentsOf(orderId: string): Promise<readonly PaymentRecord[]>
  /** Ids of the paid upsells of a service, oldest first. */
  paidUpsells(serviceId: string): Promise<readonly string[]>
  attempt(id: string): Promise<Attempt | null>
  /** Returns the account credit of this shop that an unpaid order has used: all of its total is due again. Idempotent. */
  returnUsedCredit(orderId: string, at: Instant): Promise<void>
  /** Replaces the idempotency key of an abandoned order, so that the key can create another order. */
  releaseIdempotencyKey(orderId: string): Promise<void>
}

export interface MirroredServices {
  /** Current id of a service by its current or former (local) id. */
  currentServiceId(id: string): Promise<string>
  /** Ids of a customer's services whose recreation waits, or was given up: external billing may have ended their lines for it. */
  servicesInRecreation(customerId: string): Promise<readonly string[]>
  /** Copies changes made externally; does nothing if the local status has changed from that of `local`. */
  updateService(local: Service, external: ExternalService): Promise<void>
  /** Gives a service, as external billing has done, to another customer of the mirror. Its orders stay those of who placed them. */
  moveService(service: Service, customerId: string): Promise<void>
  /** Marks a service that external billing no longer has as cancelled. */
  releaseService(service: Service): Promise<void>
  /** Stores the credentials of a service that is still pending. */
  setCredentials(serviceId: string, credentials: Credentials): Promise<void>
  /** Creates the service and a completed order that owes nothing. Concurrent calls import it once. */
  importService(service: ExternalService, terms: { currency: Currency; at: Instant }): Promise<void>
}

/** Local orders that pay renewal invoices of the external system. Their `external_orders` row names the invoice. */
export type OpenInvoiceOrder = Pick<NewRenewal, "customerId" | "accessScope" | "at"> & {
  readonly invoiceId: string
  readonly total: Money
  readonly replaced: readonly string[]
}

/** A customer, and services that unpaid invoices of theirs renew: at least one. */
export type InvoicedTo = { readonly customerId: string; readonly serviceIds: readonly string[] }

export interface MirroredRenewals {
  /**
   * Ids of the external invoices that local orders pay: a customer's orders that are no renewals, and renewals of the customer or of
   * these services that are paid here but not yet there. A service's renewal may be of another customer, whom staff have merged
   * into this one. An id may be there twice.
   */
  invoicesOfOrders(of: InvoicedTo): Promise<readonly string[]>
  /** The unpaid order that pays an invoice in this amount, but none of `replaced`: see `InvoiceRenewals.openInvoiceRenewal`. */
  openInvoiceRenewal(renewal: OpenInvoiceOrder): Promise<Order | null>
  /**
   * Creates the order that pays an invoice, or returns an unpaid one for the same invoice and amount: see
   * `InvoiceRenewals.placeInvoiceRenewal`. Concurrent calls create one. `taxes`: those of the invoice. `pollAt`: when to poll its status.
   */
  placeInvoiceRenewal(
    renewal: NewRenewal &
      Pick<RenewalInvoice, "invoiceId" | "taxes"> &
      Pick<OpenInvoiceOrder, "replaced"> & { readonly pollAt: Instant },
  ): Promise<Order>
  /**
   * Claims the settlement of a paid order until `until`; null while another claim holds it. `latestLease`: a lease beyond it was set by
   * a wrong clock and counts as expired.
   */
  beginSettlement(
    orderId: string,
    hold: { at: Instant; until: Instant; latestLease: Instant },
  ): Promise<HeldClaim | null>
  /** Extends a claim; false if it is no longer valid. */
  extendSettlement(claim: HeldClaim, until: Instant): Promise<boolean>
  /** Releases a claim. */
  endSettlement(claim: HeldClaim, at: Instant): Promise<void>
  /**
   * Completes a paid renewal or change of plan, once. `dueDates`: next due dates by service id as the external system names them.
   * `credited`: what of the total became credit there; nothing was renewed if it is all of it.
   */
  completeInvoiceRenewal(
    order: Order,
    settled: {
      at: Instant
      dueDates: ReadonlyMap<string, Instant | null>
      credited: InvoiceSettlement["credited"]
    },
  ): Promise<void>
}

/** Local orders that change plans in the external system. */
export interface MirroredUpgrades {
  /** See `PlanUpgrades.openUpgrade`. */
  openUpgrade(serviceId: string, at: Instant): Promise<Order | null>
  /** Stores the order of `PlanUpgrades.placeUpgrade`, which is then to be created externally. */
  placeUpgrade(upgrade: NewPlanUpgrade): Promise<Order>
}

/** Table of the orders that external billing has or is to have: see `ExternalOrderRow`. */
export interface ExternalOrderTable {
  externalOrder(orderId: string): Promise<ExternalOrderRow | null>
  /**
   * Claims an order that external billing may not have: inserts its row or takes over an expired lease. Null while
   * another claim's lease is valid. `latestLease`: a lease beyond it was set by a wrong clock and counts as expired.
   */
  claimExternalOrder(
    orderId: string,
    claim: { at: Instant; until: Instant; latestLease: Instant },
  ): Promise<Pick<ExternalOrderRow, "held_by" | "tries" | "claimed_until"> | null>
  /** Updates a row while the claim `by` holds it; false if a newer claim does, or the order has been created. */
  updateClaimed(claim: HeldClaim, changes: ClaimChanges): Promise<boolean>
  /**
   * Stores the external ids, and with the order the tax in its invoice. A new service takes its external id and keeps the
   * local one as former id. False, without any change, if the claim is no longer valid.
   */
  confirmExternalOrder(
    claim: HeldClaim,
    order: Order,
    made: PlacedExternally & { pollAt: Instant },
  ): Promise<boolean>
  /** Notes how the external order has ended: closed there, or there no more. It is not polled any more. */
  closeExternalOrder(orderId: string, closing: ExternalClosing): Promise<void>
  setPollAt(orderIds: readonly string[], pollAt: Instant): Promise<void>
  /** Orders due for polling that exist externally, longest due first, with their local status. */
  ordersToPoll(now: Instant, limit: number): Promise<readonly (ExternalOrderRow & { status: OrderStatus })[]>
  /** Due orders that ended unpaid locally, and whose external creation started without a known result. */
  lostOrders(now: Instant, limit: number): Promise<readonly ExternalOrderRow[]>
}

/** `by`: id of the claim. */
export type HeldClaim = { readonly orderId: string; readonly by: string }

export type ClaimChanges = Partial<Pick<ExternalOrderRow, "tries" | "claimed_until" | "held_until">>
