import type { Visitor } from "~/billing/customers/customers"
import type { ResellerSignIn } from "~/billing/resellers"
import type { AccessLevel, AccessScope } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"

export interface ExternalCustomers {
  /** Each customer can be charged in one currency only: `ExternalCustomer.currency`. */
  readonly hasSingleCurrency: boolean
  /** Finds or creates the customer of an e-mail; concurrent calls create one customer (billing API: auth). */
  identify(visitor: Visitor): Promise<ExternalCustomer>
  /** Null: no customer has this e-mail (billing API: authMiddleware). */
  customerOf(email: string): Promise<ExternalCustomer | null>
  /** Null: wrong password or unknown e-mail. Never creates a customer. */
  signIn(proof: { email: string; password: string }): Promise<ExternalCustomer | null>
  /**
   * Like `Resellers.resellerAuth`. `made`: this call created the account. If another call registers the e-mail first,
   * the password must be the one of that account.
   */
  resellerAuth(request: ResellerSignIn): Promise<{ customer: ExternalCustomer; made: boolean } | null>
  /** Null: the system cannot set passwords, nor tell sign-up passwords from others. */
  readonly passwords: ExternalPasswords | null
  /** Whether the system lists the customer as a reseller (billing API: isReseller). */
  isReseller(customer: { customerId: string; email: string }): Promise<boolean>
  /** Records a click on an affiliate link (billing API: /aff/new_click). */
  recordClick(click: { affiliateId: string; referer: string | null }): Promise<void>
  /** False: the system rejects orders from this IP address (billing API: checkFraud). Null: it checks nothing before an order. */
  readonly passesFraudCheck: ((address: string) => Promise<boolean>) | null
}

export interface ExternalPasswords {
  /** Like `Customers.setPassword`; false if this installation cannot set passwords. */
  setPassword(customer: AccessScope & { customerId: string }, password: string): Promise<boolean>
  /** Like `Customers.endSignUpPassword`; null if this installation cannot tell sign-up passwords from others. */
  endSignUpPassword(customerId: string): Promise<boolean | null>
}

/** A customer under the external id. Null: the system does not report the field. */
export type ExternalCustomer = {
  readonly customerId: string
  readonly email: string
  readonly locale: LocaleCode | null
  readonly currency: Currency | null
  readonly reach: AccessLevel | null
  /**
   * Tells the customer from another one to whom the system gives the same id, as one that counts its ids does after it was restored from
   * a backup. Without a value it reports none.
   */
  readonly key?: string | null | undefined
  /** This call has created the customer: nobody can have had the id before. */
  readonly isNew?: boolean | undefined
  /** With reach `sign-up`: id of the password, see `AccessScope`. */
  readonly passwordId?: string | null | undefined
}
