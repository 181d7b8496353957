import type { AccessScope, AuthenticatedCustomer, Customer } from "~/domain/customer"
import type { Order } from "~/domain/order"
import type { Credits } from "~/domain/reseller-credits"
import type { Visitor } from "./customers"
import type { NewOrder } from "./new-order"

/** Who sells on, and what he may make. Every call may throw a `BillingError`. */
export interface Resellers {
  /** Whether a customer has bought a reseller plan, and it has not ended (spec: isReseller). */
  isReseller(customerId: string): Promise<boolean>
  /**
   * The account somebody buys a reseller plan under (spec: resellerAuth). `existing`: the one his e-mail and password
   * prove. Otherwise one is made with them, reaching as far as a sign-up does, unless the e-mail has one: then he has
   * to prove that too. Null, as slowly in every case, when that fails.
   */
  resellerAuth(account: ResellerAccount): Promise<Customer | null>
  /**
   * What a customer holds of credits within his scope, and the last movements of them, `most` of them. With a sign-up
   * password: what was bought and spent under that very password, and never more than the account holds.
   */
  credits(customer: AuthenticatedCustomer, limit: number): Promise<Credits>
  /**
   * A viewer's service for a customer of the reseller's own, paid with credits: order, pending service, the job that
   * sets it up and the movement, all or nothing. A repeated key answers with the order it made first. Refuses
   * (`BillingError` "refused") without enough credits, and a reseller service that is not active or not his.
   */
  createLine(line: NewLine): Promise<Order>
}

export type ResellerAccount = Visitor & { password: string; existing: boolean }

export type NewLine = Pick<
  NewOrder,
  | "key"
  | "customerId"
  | "quote"
  | "cycle"
  | "gateway"
  | "locale"
  | "address"
  | "holdReason"
  | "credentials"
  | "number"
  | "at"
> & {
  /** The reseller's service whose credits pay for it. */
  resellerServiceId: string
  /** What whoever makes it has proven; null: that is not known. */
  accessScope: AccessScope | null
  /** Which of the customer's credits may pay for it: see `credits`. */
  resellerCreditScope: AccessScope
  /** The reseller's own words for whom it is. */
  notes: string
}
