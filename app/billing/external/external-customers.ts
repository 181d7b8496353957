import type { Visitor } from "~/billing/customers"
import type { ResellerAccount } from "~/billing/resellers"
import type { AccessLevel, AccessScope } from "~/domain/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money"

export interface ExternalCustomers {
  /** A customer can be charged in one currency only: the one they tell of him. */
  readonly hasSingleCurrency: boolean
  /** Finds the customer of an e-mail, or makes one. Of many at once with one e-mail, one is made. (spec: auth) */
  identify(visitor: Visitor): Promise<ExternalCustomer>
  /** Null: nobody has that e-mail (spec: authMiddleware). */
  customerOf(email: string): Promise<ExternalCustomer | null>
  /** Null: not his password, or nobody's e-mail. Makes no customer. */
  signIn(proof: { email: string; password: string }): Promise<ExternalCustomer | null>
  /**
   * As `Resellers.resellerAuth`; `made`: the account has been made by this very call. A new customer whose e-mail
   * is taken meanwhile is one who has to prove it.
   */
  resellerAuth(account: ResellerAccount): Promise<{ customer: ExternalCustomer; made: boolean } | null>
  /** As `Customers.setPassword`; false where they have no way to set one. */
  setPassword(customer: AccessScope & { customerId: string }, password: string): Promise<boolean>
  /** As `Customers.endSignUpPassword`; null where they cannot tell such a password from another. */
  endSignUpPassword(customerId: string): Promise<boolean | null>
  /** Whether they know a customer as a reseller (spec: isReseller). */
  isReseller(customer: { customerId: string; email: string }): Promise<boolean>
  /** Counts a click on an affiliate's link (spec: /aff/new_click). */
  recordClick(click: { affiliateId: string; referer: string | null }): Promise<void>
  /** True: nothing against orders from an address (spec: checkFraud). */
  passesFraudCheck(address: string): Promise<boolean>
}

/** What they do not say is null. */
export type ExternalCustomer = {
  readonly customerId: string
  readonly email: string
  readonly locale: LocaleCode | null
  readonly currency: Currency | null
  readonly reach: AccessLevel | null
  /** With reach `sign-up`, which password: see `AccessScope`. */
  readonly passwordId?: string | null | undefined
}
