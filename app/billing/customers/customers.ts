import type { Instant } from "~/domain/calendar"
import type { Business } from "~/domain/customers/business"
import type { Country } from "~/domain/customers/country"
import type { AuthenticatedCustomer, Customer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import type { Service } from "~/domain/services/service"

/** Port of customer accounts, passwords and retention. Every call may throw a `BillingError`. */
export interface Customers {
  /** Finds or creates the customer of an e-mail. The result does not reveal which. */
  identify(visitor: Visitor): Promise<Identified>
  /**
   * The customer of an e-mail ignoring case and surrounding spaces; null if there is none. The result must not be shown
   * to a visitor: it reveals whether the e-mail has an account.
   */
  customerOf(email: string): Promise<Customer | null>
  /** The customer with an id; null if there is none, or the customer was erased. */
  customerById(id: string): Promise<Customer | null>
  /** The country that a customer's account was opened in; unknown for an unknown customer. */
  countryOf(customerId: string): Promise<Country>
  /**
   * Authenticates a customer by password; null if that fails. An unknown e-mail takes as long as a wrong password,
   * which prevents user enumeration by timing. Throws `BillingOverloaded` if too many passwords wait to be hashed.
   */
  signIn(proof: { email: string; password: string }): Promise<Customer | null>
  /**
   * Sets the password of an existing customer; signing in with it grants the access scope of `customer`. Reach
   * `account` replaces any password. Reach `sign-up` with a `passwordId` replaces the sign-up password of that id and
   * inherits the id; without one it replaces any sign-up password, or none, under a new id. Throws `BillingError`
   * "refused" if the customer does not exist or has another password by now. Ends the customer's earlier sessions
   * (`SessionRepository`). `now` is called after hashing, which takes a while, so that sessions started meanwhile end
   * too.
   */
  setPassword(customer: AuthenticatedCustomer, password: string, now: () => Instant): Promise<void>
  /**
   * Removes a customer's sign-up password, whose holder has not proven the e-mail, and ends the sessions authenticated
   * by it. False if the customer has no sign-up password.
   */
  endSignUpPassword(customerId: string, at: Instant): Promise<boolean>
  /** The business that a customer buys for; null: a consumer, or an external billing system has the customers. */
  businessOf(customerId: string): Promise<Business | null>
  /** Keeps the business that a customer buys for, for later orders; null removes it. Idempotent. */
  setBusiness(customerId: string, business: Business | null): Promise<void>
  /** Paid services in the customer's access scope (see `covers`), newest first. */
  servicesOf(customer: AuthenticatedCustomer): Promise<readonly Service[]>
  /**
   * Retention: erases e-mail and address of up to `limit` customers created and last ordering at or before `before`.
   * Skips customers with a purchase, a payment, an open order, account credit or reseller credits. Their orders stay,
   * anonymized. Returns how many were erased.
   */
  eraseInactiveCustomers(before: Instant, limit: number): Promise<number>
}

/** `requiredCurrency`: the only currency in which billing can charge the customer; null for any. */
export type Identified = { readonly customerId: string; readonly requiredCurrency: Currency | null }

/** A visitor who has given an e-mail: what billing finds or creates a customer by. */
export type Visitor = {
  email: string
  locale: LocaleCode
  currency: Currency
  country: Country
  address: string | null
  at: Instant
}
