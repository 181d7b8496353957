import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import type { AuthenticatedCustomer, Customer } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { Service } from "~/domain/service"

/** Who the customers are. Every call may throw a `BillingError`. */
export interface Customers {
  /** Finds the customer of an e-mail or makes one, and answers the same way for both. */
  identify(visitor: Visitor): Promise<Identified>
  /** The customer of an e-mail, however it is typed; null when there is none. Never shown to who typed it. */
  customerOf(email: string): Promise<Customer | null>
  /** The customer who proves himself by his password, or null: as slow for an e-mail nobody has as for a wrong word. */
  signIn(proof: { email: string; password: string }): Promise<Customer | null>
  /**
   * Sets the password of a customer who is there; whoever signs in with it reaches as far. With reach `account` it
   * replaces whatever there was. With `sign-up` it replaces the sign-up password of that id, which it inherits, and
   * without an id one that nobody is known by; refuses (`BillingError` "refused") where the password is another by now.
   * His sessions of before are ended (`SessionRepository`): of before it is set, which takes its time.
   */
  setPassword(customer: AuthenticatedCustomer, password: string, now: () => Instant): Promise<void>
  /**
   * Ends the password of a customer that was chosen by whoever had not shown that the e-mail is his: nobody signs in
   * with it any more, and sessions that have proven no more than such a password are ended. False when there is none.
   */
  endSignUpPassword(customerId: string, at: Instant): Promise<boolean>
  /** The paid services within a customer's scope, the newest first: see `covers`. */
  servicesOf(customer: AuthenticatedCustomer): Promise<readonly Service[]>
  /**
   * Erases e-mail and address of customers who have come and ordered last before an instant, have never bought or paid
   * anything, have no order open and hold no credit: `most` at a time. Their orders stay, without a name. Answers how
   * many there were.
   */
  eraseInactiveCustomers(before: Instant, limit: number): Promise<number>
}

/** `paysIn`: the only currency he can be charged in; null where any will do. */
export type Identified = { readonly customerId: string; readonly requiredCurrency: Currency | null }

export type Visitor = {
  email: string
  locale: LocaleCode
  currency: Currency
  country: Country
  address: string | null
  at: Instant
}
