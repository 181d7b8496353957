import type { CustomerDetails } from "~/billing/customers/customer-admin"
import type { ApprovalRepository } from "~/billing/operators/approvals"
import type { UnmatchedPayment, UnmatchedPayments } from "~/billing/payments/unmatched-payments"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money/money"
import { type OperatorRole, operatorShownTo } from "~/domain/operators/operator"
import { type UnmatchedAction, unmatchedAllows } from "~/domain/payments/unmatched-payment"
import { type Approver, askForAssignment, grantedBefore } from "../ask-for-approval.server"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  runOperatorForm,
} from "../run-operator-action.server"
import {
  type AssigningServices,
  type AssignmentChange,
  type AssignmentProblem,
  assignPayment,
  plannedAssignment,
} from "./assign-payment.server"

/** What an operator types to settle a payment that matches no order. Fields that its action does not have are ignored. */
export type UnmatchedChange = Omit<AssignmentChange, "action"> & {
  readonly action: UnmatchedAction
  readonly reason: string
  /** Of the money that was returned, such as the provider's id of the refund. */
  readonly reference?: string | undefined
}

/** Why nothing was changed. */
export type UnmatchedProblem = AssignmentProblem | "reason-missing" | "reference-missing" | "not-allowed"

export type UnmatchedServices = AssigningServices & {
  readonly unmatched: Pick<UnmatchedPayments, "find" | "assign" | "close">
  readonly approvals: ApprovalRepository
  readonly approveAbove: Money | null
}

export type UnmatchedResult =
  | { readonly kind: "done" }
  /** The amount waits for a second operator. */
  | { readonly kind: "waits"; readonly request: { readonly id: string; readonly expiresAt: Instant } }
  | { readonly kind: "problem"; readonly problem: UnmatchedProblem }

/** `requestId`: of the request for a second operator, if the amount needs one. */
type By = Approver & { readonly requestId: string }

/** Settles a payment as the operator has seen it, or asks a second operator. Only one settles it. */
export async function settleUnmatched(
  services: UnmatchedServices,
  payment: UnmatchedPayment,
  change: UnmatchedChange,
  by: By,
): Promise<UnmatchedResult> {
  const problem = problemOfChange(payment, change)
  if (problem) return { kind: "problem", problem }
  const { action } = change
  if (action === "assign-payment" || action === "credit-payment")
    return assign(services, payment, { ...change, action, ...by })
  const { unmatched, now } = services
  const { reason, reference = "" } = change
  const isClosed = await unmatched.close({
    id: payment.id,
    expected: payment.amount,
    operator: by.operator,
    reason,
    at: now(),
    state: action === "return-payment" ? "returned" : "dismissed",
    reference: reference || null,
  })
  return isClosed ? { kind: "done" } : { kind: "problem", problem: "changed" }
}

type Assigning = AssignmentChange & By & Pick<UnmatchedChange, "reason">

async function assign(
  services: UnmatchedServices,
  payment: UnmatchedPayment,
  { requestId, ...change }: Assigning,
): Promise<UnmatchedResult> {
  const planned = await plannedAssignment(services, payment, change)
  if (typeof planned === "string") return { kind: "problem", problem: planned }
  const { reason, operator, operatorId, action } = change
  const asked = { id: requestId, action, amount: planned.amount, to: planned.to, reason, payment }
  const request = await askForAssignment(services, asked, { operator, operatorId, at: services.now() })
  if (request) return { kind: "waits", request }
  const { to, amount } = planned
  const problem = await assignPayment(services, {
    id: payment.id,
    expected: payment.amount,
    amount,
    to: "order" in to ? { orderId: to.order.id } : creditTo(to.customer, amount, services.now()),
    operator,
    reason,
  })
  return problem === null ? { kind: "done" } : { kind: "problem", problem }
}

function creditTo(customer: CustomerDetails, { currency }: Money, at: Instant) {
  return { customerId: customer.id, grantedBefore: grantedBefore(customer, currency, at) }
}

/** A form of the page of a payment. `seen`: see `seenOfUnmatched`. */
export type UnmatchedForm = UnmatchedChange & {
  readonly formKey: SentKey
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

export type UnmatchedOutcome =
  | ActionOutcome<null>
  | { readonly kind: "waits" }
  | FormProblem<UnmatchedProblem>
  | { readonly kind: "no-such-payment" }

/** Does what a form of the page of a payment asks for, and writes the audit log. */
export async function actOnUnmatched(
  services: ConsoleServices,
  actor: Actor,
  { id, form }: { readonly id: string; readonly form: UnmatchedForm },
): Promise<UnmatchedOutcome> {
  const { unmatched } = services.console
  const payment = await unmatched.find(id)
  if (!payment) return { kind: "no-such-payment" }
  const { action, reason, formKey, proof } = form
  const { email: operator, operatorId } = actor.session
  const problem = problemOfForm(payment, form)
  const request = { action, subject: subjectOf(payment), reason, formKey, proof, problem }
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const by = { operator, operatorId, requestId: services.newId() }
    const value = await settleUnmatched(settlingOf(services), payment, form, by)
    const after = (await unmatched.find(id)) ?? payment
    return {
      before: auditedPayment(payment),
      after: { ...auditedPayment(after), ...auditedResult(value) },
      value,
    }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value.kind === "done" ? { kind: "done", value: null } : outcome.value
}

/** What the console's services are to a payment that matches no order. */
function settlingOf(services: ConsoleServices): UnmatchedServices {
  const { unmatched, customers, approvals, approveAbove } = services.console
  return { ...services, unmatched, customers, approvals, approveAbove }
}

function problemOfForm(payment: UnmatchedPayment, form: UnmatchedForm): UnmatchedProblem | null {
  return form.seen === seenOfUnmatched(payment) ? problemOfChange(payment, form) : "changed"
}

function problemOfChange(
  payment: UnmatchedPayment,
  { action, reason, reference = "" }: UnmatchedChange,
): UnmatchedProblem | null {
  if (!unmatchedAllows(payment, action)) return "not-allowed"
  if (reason === "") return "reason-missing"
  return action === "return-payment" && reference === "" ? "reference-missing" : null
}

function auditedResult(result: UnmatchedResult) {
  if (result.kind === "waits") return { waits: result.request.id }
  return { result: result.kind === "done" ? "done" : result.problem }
}

/** An unmatched payment as subject of the audit log. */
export function subjectOf({ id }: Pick<UnmatchedPayment, "id">): string {
  return `payment ${id}`
}

/** For the audit log. */
export function auditedPayment({ gateway, paymentId, amount, state, handling }: UnmatchedPayment) {
  return {
    gateway,
    paymentId,
    amount: amount && `${toDecimal(amount)} ${amount.currency}`,
    state,
    reference: handling?.reference ?? null,
    order: handling?.orderId ?? null,
    customer: handling?.customerId ?? null,
  }
}

/** What an operator has seen of a payment: another text says that something has happened since. */
export function seenOfUnmatched({ state, amount }: UnmatchedPayment): string {
  return [state, amount?.minor ?? "unknown", amount?.currency ?? ""].join(" ").trim()
}

/** A payment as a role sees it. */
export function unmatchedShownTo(role: OperatorRole, payment: UnmatchedPayment): UnmatchedPayment {
  const { handling } = payment
  if (!handling) return payment
  return { ...payment, handling: { ...handling, operator: operatorShownTo(role, handling.operator) } }
}
