import type { Approval } from "~/billing/operators/approvals"
import type { ConsoleServices } from "~/context/services.server"
import type { Money } from "~/domain/money/money"
import type { CustomerOutcome } from "../customers/act-on-customer.server"
import type { OrderForm, OrderOutcome, OrderProblem } from "../orders/act-on-order.server"
import {
  type Actor,
  type FormOutcome,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "../run-operator-action.server"
import {
  type ApprovalOutcome,
  type ApprovalProblem,
  confirmRequest,
  refuseRequest,
} from "./confirm-request.server"

export type RequestDecision = "confirm-action" | "refuse-action"

/** Whether a form names a decision on a request. */
export function isDecision(action: string): action is RequestDecision {
  return action === "confirm-action" || action === "refuse-action"
}

export type DecisionForm = Pick<OrderForm, "reason" | "formKey" | "proof" | "target"> & {
  readonly action: RequestDecision
}

/** What the page of an order or a customer shows: what its own actions lead to, or why the request was not decided. */
export type Decided<Outcome> = Outcome | FormProblem<ApprovalProblem>

/** Confirms or refuses a request about an order, which another operator has asked for, and writes the audit log. */
export async function decideOnRequest(
  services: ConsoleServices,
  actor: Actor,
  { number, form }: { readonly number: string; readonly form: DecisionForm },
): Promise<Decided<OrderOutcome>> {
  const asked = await services.console.approvals.find(form.target)
  if (asked?.orderId !== number) return { kind: "problem", problem: "no-such-request" }
  const outcome = await decide(services, actor, { subject: `order ${number}`, asked, form })
  return outcome.kind === "done" ? outcomeOf(outcome.value, asked) : outcome
}

/** The same for a request about a customer. */
export async function decideOnCredit(
  services: ConsoleServices,
  actor: Actor,
  { id, form }: { readonly id: string; readonly form: DecisionForm },
): Promise<Decided<CustomerOutcome<Money | null>>> {
  const asked = await services.console.approvals.find(form.target)
  if (asked?.customerId !== id) return { kind: "problem", problem: "no-such-request" }
  const outcome = await decide(services, actor, { subject: `customer ${id}`, asked, form })
  if (outcome.kind !== "done") return outcome
  const decided = outcome.value
  if (decided.kind !== "refused" && decided.kind !== "confirmed")
    return { kind: "problem", problem: decided.kind }
  const isDone = decided.kind === "refused" || decided.result === "done"
  return isDone ? { kind: "done", value: asked.amount } : { kind: "problem", problem: "no-effect" }
}

type Decision = { readonly subject: string; readonly asked: Approval; readonly form: DecisionForm }

function decide(
  services: ConsoleServices,
  actor: Actor,
  { subject, asked, form }: Decision,
): Promise<FormOutcome<ApprovalOutcome, "reason-missing">> {
  const { approvals, operators, orders, customers, unmatched } = services.console
  const { action, reason, formKey, proof, target } = form
  const problem = missingReason(reason)
  const entry = { action, subject, reason, formKey, proof, problem } as const
  const { operatorId, email: operator } = actor.session
  return runOperatorForm(services, actor, entry, async () => {
    const run = action === "confirm-action" ? confirmRequest : refuseRequest
    const deciding = { ...services, approvals, operators, orders, customers, unmatched }
    const value = await run(deciding, target, { operatorId, operator })
    const result = value.kind === "confirmed" ? value.result : value.kind
    const { minor, currency } = asked.amount
    return { after: { request: target, asked: asked.action, amount: minor, currency, result }, value }
  })
}

function outcomeOf(decided: ApprovalOutcome, { amount }: Approval): Decided<OrderOutcome> {
  if (decided.kind === "refused") return { kind: "done", amount }
  if (decided.kind !== "confirmed") return { kind: "problem", problem: decided.kind }
  if (decided.result === "done") return { kind: "done", amount }
  return { kind: "problem", problem: problems[decided.result] ?? "no-effect" }
}

const problems: Readonly<Record<string, OrderProblem>> = {
  "too-much": "too-much",
  elsewhere: "elsewhere",
  "not-its-service": "not-its-service",
  "no-answer": "no-answer",
  "under-way": "under-way",
  "whole-only": "whole-only",
  "address-missing": "address-missing",
  "no-gateway-refunds": "no-gateway-refunds",
  "refund-under-way": "refund-under-way",
}
