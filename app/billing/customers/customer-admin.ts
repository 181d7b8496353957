import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import type { AccessLevel } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency, Money } from "~/domain/money/money"
import type { Block, Blocked } from "~/domain/orders/fraud"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { MailListed } from "../orders/order-admin"
import type { OrderListItem } from "../orders/order-search"
import type { AccountCreditCause } from "../payments/account-credit-cause"
import type { ServiceListItem } from "../services/service-admin"

/** Port of what operators see of customers and do with them. Every call may throw a `BillingError`. */
export interface CustomerAdmin {
  /** Customers by time, newest first unless `newer` is set, at most `limit`: a short query by an index. */
  customers(range: CustomerRange): Promise<readonly CustomerListItem[]>
  /** Customers by one of their names, newest first, at most `limit`. */
  customersNamed(name: CustomerName): Promise<readonly CustomerListItem[]>
  /** E-mails of customers by id; without those of unknown ids. */
  emailsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** All that is stored about a customer; null for an unknown id. */
  customer(id: string): Promise<CustomerDetails | null>
  /**
   * Adds account credit that no payment has bought. The same key adds it once: false if it was used before. Throws `BillingError`
   * "refused" if more was granted meanwhile than `grantedBefore` says.
   */
  grantAccountCredit(id: string, grant: AccountCreditGrant): Promise<boolean>
  /** Blocks an address, a network, a country or a customer; blocking it again replaces reason and time. */
  block(block: Block): Promise<void>
  /** Removes a block. Returns false if there was none. */
  unblock(blocked: Blocked): Promise<boolean>
  /** All blocks, by kind and value. */
  blocks(): Promise<readonly Block[]>
  /** Exports all stored data of one customer, or of several with one e-mail (`customersOf`); null if all ids are unknown. */
  exportCustomer(ids: readonly string[]): Promise<CustomerExport | null>
  /**
   * Gives a customer another e-mail. Sessions and sign-in links of the former one end; the new one is unproven until
   * somebody signs in by it. Both addresses get a message; the former one does not if it is another customer's now. False for
   * an unknown id, and if the customer has another e-mail than `emailBefore`; throws `BillingError` "refused" if another customer has the new one.
   */
  changeEmail(change: EmailChange): Promise<boolean>
  /**
   * Erases the personal data of one customer, or of several with one e-mail (`customersOf`). Returns how many were erased.
   * Without `force`, throws `BillingError` "refused" if there is an open order, an active or suspended service or credit.
   */
  eraseCustomer(ids: readonly string[], options: { force: boolean }): Promise<number>
}

/** Place of a customer in the list: keyset pagination. */
export type CustomerPosition = { readonly at: Instant; readonly id: string }

export type CustomerRange = {
  readonly limit: number
  /** Customers behind this one; absent: from the first. */
  readonly beyond?: CustomerPosition | undefined
  /** Oldest first. */
  readonly newer?: boolean | undefined
}

/** `email`, which may be a former one, and `username`: also the beginning of one. `order`: the number of an order. */
export const customerNameKinds = ["email", "username", "order"] as const
export type CustomerName = {
  readonly kind: (typeof customerNameKinds)[number]
  readonly text: string
  /** The text is a whole e-mail, and not the beginning of one. */
  readonly isWhole?: boolean | undefined
  readonly limit: number
}

export type CustomerListItem = {
  readonly id: string
  readonly email: string
  /** False: the e-mail is another customer's now, who has proven it. */
  readonly hasEmail: boolean
  readonly country: Country | null
  readonly locale: LocaleCode
  readonly createdAt: Instant
  readonly isProven: boolean
}

export type CustomerDetails = CustomerListItem & {
  readonly currency: Currency
  /** When the customer last proved to receive mail; null: not proven. */
  readonly emailProvenAt: Instant | null
  /** Those that the customer had before, the last one first; without capitals, as they are compared. */
  readonly formerEmails: readonly FormerEmail[]
  /** What the password grants; null without a password. */
  readonly passwordScope: AccessLevel | null
  /** Sessions from before have ended: all, and those of a password chosen at sign-up. Null: none were ended. */
  readonly sessionsSince: Instant | null
  readonly signUpSessionsSince: Instant | null
  /** Newest first, as the other lists. */
  readonly services: readonly ServiceListItem[]
  readonly orders: readonly OrderListItem[]
  readonly payments: readonly PaymentListed[]
  readonly credit: readonly Money[]
  readonly creditMovements: readonly CreditMovementListed[]
  readonly mails: readonly MailListed[]
  /** Requests to sign in by mail. */
  readonly signIns: readonly SignInListed[]
  /** Of the customer, and of the addresses that the orders came from. */
  readonly blocks: readonly Block[]
  /** IP addresses of the orders, newest first. */
  readonly addresses: readonly string[]
}

export type FormerEmail = { readonly email: string; readonly until: Instant }

/** Money received from a customer; negative: refunded. */
export type PaymentListed = {
  readonly orderId: string
  readonly amount: Money
  /** Null: it came outside the gateways, or was paid back there. */
  readonly gateway: GatewayId | null
  readonly transactionId: string | null
  readonly bookedAt: Instant
}

export type CreditMovementListed = {
  readonly amount: Money
  /** `assigned`: a payment that matched no order, which an operator has assigned to the customer. */
  readonly cause: AccountCreditCause | "assigned"
  /** Null: of no order. */
  readonly orderId: string | null
  readonly reason: string | null
  readonly at: Instant
}

/** `endedAt`: when it was used or replaced; null: not yet. */
export type SignInListed = { readonly createdAt: Instant; readonly endedAt: Instant | null }

export type AccountCreditGrant = {
  readonly key: string
  readonly amount: Money
  readonly reason: string
  readonly at: Instant
  readonly grantedBefore?: GrantedBefore | undefined
}

/**
 * What a customer was granted since an instant, in minor units of the currency of a further grant, when it was decided that this
 * one needs no second operator. Absent: a second operator has confirmed it.
 */
export type GrantedBefore = { readonly since: Instant; readonly minor: number }

/** `emailBefore`: the one that the operator has seen; absent: any. */
export type EmailChange = {
  readonly customerId: string
  readonly to: string
  readonly emailBefore?: string
  readonly at: Instant
}

type Value = string | number | boolean | null

/** Data export: all rows about a customer, by table. Amounts in minor units, instants as ISO 8601. */
export type CustomerExport = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>
