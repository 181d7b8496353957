import type { Billing } from "~/billing/billing"
import type { CustomerAdmin, CustomerDetails } from "~/billing/customers/customer-admin"
import type {
  UnmatchedAssigning,
  UnmatchedPayment,
  UnmatchedPayments,
} from "~/billing/payments/unmatched-payments"
import type { LoggedServices } from "~/context/services.server"
import { type Currency, type Money, sameAmount } from "~/domain/money/money"
import { typedAmount } from "~/domain/money/typed-amount"
import type { Order } from "~/domain/orders/order"
import { type ClosingServices, closeAttempts } from "~/flows/payments/close-attempts.server"
import { countOrderStep } from "~/flows/payments/count-order-step.server"

/** What the console has, and the admin CLI. */
export type AssigningServices = ClosingServices &
  Pick<LoggedServices, "stepCounter" | "tolerance" | "now" | "wakeJobs"> & {
    readonly billing: Pick<Billing, "order" | "customerOf">
    readonly unmatched: Pick<UnmatchedPayments, "find" | "assign">
    readonly customers: Pick<CustomerAdmin, "customer">
    /** It has the customers' account credit. */
    readonly hasExternalBilling: boolean
  }

/** What an operator types: the number of an order, or the email of a customer whose account credit it becomes. */
export type AssignmentChange = {
  readonly action: "assign-payment" | "credit-payment"
  readonly order?: string | undefined
  readonly customer?: string | undefined
  /** Needed if the reports do not say how much, or in another currency than the order's. */
  readonly amount?: string | undefined
}

export type AssignmentProblem =
  | "no-such-order"
  | "no-such-customer"
  | "amount-missing"
  /** It is assigned as a whole. */
  | "amount-differs"
  /** An external billing has the customers' account credit. */
  | "elsewhere"
  /** It was settled, or more money has arrived, since the operator has seen it. */
  | "changed"

export type Assignment = {
  readonly amount: Money
  readonly to: { readonly order: Order } | { readonly customer: CustomerDetails }
}

/** What an assignment is about, with its amount; or why there is none. */
export async function plannedAssignment(
  services: AssigningServices,
  payment: UnmatchedPayment,
  change: AssignmentChange,
): Promise<Assignment | AssignmentProblem> {
  const to =
    change.action === "assign-payment" ? await orderOf(services, change) : await customerOf(services, change)
  if (typeof to === "string") return to
  const currency = "order" in to ? to.order.total.currency : (payment.amount ?? to.customer).currency
  const amount = amountIn(payment.amount, change.amount ?? "", currency)
  return typeof amount === "string" ? amount : { amount, to }
}

async function orderOf({ billing }: AssigningServices, { order: number = "" }: AssignmentChange) {
  const order = number === "" ? null : await billing.order(number)
  return order ? { order } : "no-such-order"
}

async function customerOf(
  { billing, customers, hasExternalBilling }: AssigningServices,
  { customer: email = "" }: AssignmentChange,
) {
  if (hasExternalBilling) return "elsewhere"
  const found = email === "" ? null : await billing.customerOf(email)
  const customer = found && (await customers.customer(found.id))
  return customer ? { customer } : "no-such-customer"
}

function amountIn(reported: Money | null, text: string, currency: Currency): Money | AssignmentProblem {
  const typed = typedAmount(text, currency)
  if (reported?.currency !== currency) return typed?.minor ? typed : "amount-missing"
  const isSame = text === "" || (typed !== null && sameAmount(typed, reported))
  return isSame ? reported : "amount-differs"
}

/** `expected`: the open amount that the operator has seen. */
export type AssignmentOrder = {
  readonly id: string
  readonly expected: Money | null
  readonly amount: Money
  readonly to: UnmatchedAssigning["to"]
  readonly operator: string
  readonly reason: string
}

/**
 * Books a payment for an order, as if its gateway had reported it for that order, or as a customer's account credit. Only once:
 * "changed" if it was settled before.
 */
export async function assignPayment(
  services: AssigningServices,
  assignment: AssignmentOrder,
): Promise<AssignmentProblem | null> {
  const { unmatched, tolerance, now } = services
  const payment = await unmatched.find(assignment.id)
  if (!payment) return "changed"
  const outcome = await unmatched.assign({
    ...assignment,
    tolerance: tolerance[payment.gateway] ?? 0,
    at: now(),
  })
  if (outcome.kind !== "assigned") return outcome.kind
  if ("orderId" in assignment.to && outcome.isPaid) await afterPayment(services, assignment.to.orderId)
  services.wakeJobs()
  return null
}

/** The payment is booked: what is still open at a gateway is closed where possible. */
async function afterPayment(services: AssigningServices, orderId: string): Promise<void> {
  const order = await services.billing.order(orderId)
  if (order) countOrderStep(services, "paid", order)
  await closeAttempts(services, orderId, null)
}
