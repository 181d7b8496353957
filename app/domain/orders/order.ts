import { DAY, type Instant } from "../calendar"
import type { QuoteLine } from "../catalogue/pricing"
import type { AccessScope } from "../customers/customer"
import type { LocaleCode } from "../locales"
import { type Money, money } from "../money/money"
import type { GatewayId } from "../payments/gateway-id"
import { type OrderStatus, paidStatuses, payableStatuses } from "./order-status"
import type { OrderTax, TaxAtRate } from "./order-tax"
import type { SaleTerms } from "./sale-terms"

/** Time to pay an order at its price (specification, Orders). */
export const PAYMENT_DEADLINE = DAY

/** Grace period after the deadline in which payments are accepted (specification, Payments). */
export const LATE_PAYMENT_GRACE = 7 * DAY

/**
 * `plan`: creates a viewer's service. `reseller`: creates a reseller's service. `line`: creates a viewer's service for a
 * reseller's customer, paid with a credit. `upsell`: adds connections to an existing service. `renewal`: adds terms to
 * existing services. `topup`: adds account credit, from the page of an existing service. `plan-change`: gives an existing
 * service another plan or billing cycle. `reseller-credits`: a reseller plan that adds its credits to an existing reseller's
 * service.
 */
export const orderKinds = [
  "plan",
  "reseller",
  "line",
  "upsell",
  "renewal",
  "topup",
  "plan-change",
  "reseller-credits",
] as const
export type OrderKind = (typeof orderKinds)[number]

/** Whether an order creates a service of its own; the others change services that several sessions may have. */
export function createsService({ kind }: Pick<Order, "kind">): boolean {
  return kind === "plan" || kind === "reseller" || kind === "line"
}

/** Kinds of orders that a reseller plan is bought by, whose payment grants its credits. */
export const resellerPlanKinds = ["reseller", "reseller-credits"] as const satisfies readonly OrderKind[]

/** Whether an order has bought a reseller plan: see `resellerPlanKinds`. */
export function isResellerPlan({ kind }: Pick<Order, "kind">): boolean {
  return resellerPlanKinds.some((it) => it === kind)
}

/** Whether an order was chosen at a checkout of plans; the others come from the page of the service that they change. */
export function isFromCheckout(order: Pick<Order, "kind">): boolean {
  return createsService(order) || isResellerPlan(order)
}

/**
 * Account credit that may pay an order: none, all of the customer's (`account`: the buyer is authenticated), or the unused
 * credit from one order (`order …`: the session's current one).
 */
export type AccountCreditScope = "none" | "account" | `order ${string}`

/**
 * The operator's decision on an order on hold. `released`: it continues; while its status is still `fraud`, the buyer has
 * to accept a new price first. `refused`: final.
 */
export type HoldDecision = "released" | "refused"

/** An order as stored. */
export type Order = {
  readonly id: string
  readonly kind: OrderKind
  readonly invoiceId: string
  /** The service that it creates or extends. */
  readonly serviceId: string
  readonly customerId: string
  /** The customer's e-mail. */
  readonly email: string
  /** Whether the customer has proven to receive mail there. */
  readonly emailProven: boolean
  /** Access scope of the session that placed it; null: not authenticated, or unknown. */
  readonly accessScope: AccessScope | null
  readonly status: OrderStatus
  readonly decision: HoldDecision | null
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  /** Confirmed payments less refunds; of an unpaid order also less those on their way, which pay nothing. */
  readonly received: Money
  /** Part of it that became account credit; negative: account credit used for this order. Read it by the two functions below. */
  readonly credited: Money
  /** The gateway chosen last. */
  readonly gateway: GatewayId
  readonly locale: LocaleCode
  readonly placedAt: Instant
  readonly deadline: Instant
  /** When its total was covered; without a value it has not been. */
  readonly paidAt?: Instant | undefined
  /** What applied to the sale by the buyer's country; without a value: nothing, or the order is older. */
  readonly saleTerms?: SaleTerms | undefined
  /** Its tax; without a value the shop taxed nothing when it was placed. */
  readonly tax?: OrderTax | undefined
  /** The tax in its invoice at the external billing system; without a value it has stated none. */
  readonly externalTax?: readonly TaxAtRate[] | undefined
  /** Length of the free trial that was ordered; without a value it is none. */
  readonly trialHours?: number | undefined
  /** The credits that a reseller plan had when it was ordered; without a value it is none, or from before they were kept. */
  readonly credits?: number | undefined
  /** These are for an account that the buyer has by the payment, if there is one. Without a value the order opens an account. */
  readonly addsCredits?: boolean | undefined
  /** Its steps are not counted: no person has bought it on our pages. Without a value they are. */
  readonly isUncounted?: boolean | undefined
}

/** The account credit that an order has used; zero if it has used none. */
export function creditUsedBy({ credited }: Pick<Order, "credited">): Money {
  return money(Math.max(0, -credited.minor), credited.currency)
}

/** What was paid for an order and became account credit; zero if nothing did. */
export function creditEarnedBy({ credited }: Pick<Order, "credited">): Money {
  return money(Math.max(0, credited.minor), credited.currency)
}

/** What has become of the money for a cancelled order: there was none, it is account credit, it is recorded with the order. */
export const cancelledOutcomes = ["unpaid", "credited", "recorded"] as const

/** What has become of the money for one cancelled order. */
export function cancelledOutcome(
  order: Pick<Order, "received" | "credited">,
): (typeof cancelledOutcomes)[number] {
  if (order.received.minor <= 0) return "unpaid"
  return creditEarnedBy(order).minor > 0 ? "credited" : "recorded"
}

/**
 * How often the e-mail of an order is corrected. Each correction sends the receipt to an address that nobody has proven, and takes a
 * free trial from it: one order must not do so to any number of people.
 */
export const EMAIL_CORRECTIONS = 5

/** Whether a released order has a changed price that the buyer has to accept. */
export function awaitsConsent({ status, decision }: Pick<Order, "status" | "decision">): boolean {
  return status === "fraud" && decision === "released"
}

/**
 * Whether an order may move to the customer of another e-mail: it was typed by a session that was not authenticated, nobody has
 * proven to receive mail there, and no account credit of its customer is involved.
 */
export function isMovable({
  accessScope,
  emailProven,
  credited,
}: Pick<Order, "accessScope" | "emailProven" | "credited">): boolean {
  return !emailProven && accessScope === null && credited.minor === 0
}

/**
 * Whether the buyer may still correct the e-mail of an order. What was ordered later for its service moves with it. Reseller credits
 * stay where they were granted, so a reseller's e-mail is final with the payment.
 */
export function isEmailCorrectable(
  order: Pick<Order, "kind" | "status" | "accessScope" | "emailProven" | "credited">,
): boolean {
  const { kind, status } = order
  if (!isMovable(order)) return false
  if (kind === "reseller") return payableStatuses.includes(status)
  return kind === "plan" && (payableStatuses.includes(status) || paidStatuses.includes(status))
}
