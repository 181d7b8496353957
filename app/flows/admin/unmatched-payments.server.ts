import type { UnmatchedPayment, UnmatchedPayments } from "~/billing/unmatched-payments"
import type { ConsoleServices } from "~/context/services.server"
import { toDecimal } from "~/domain/money"
import { mayDo, type OperatorRole, operatorShownTo } from "~/domain/operator"
import { type UnmatchedAction, unmatchedAllows } from "~/domain/unmatched-payment"
import { type ActionOutcome, type Actor, runOperatorAction } from "./run-operator-action.server"

/** What an operator types to settle a payment that matches no order. Fields that its action does not have are ignored. */
export type UnmatchedChange = {
  readonly action: UnmatchedAction
  readonly reason: string
  /** Of the money that was returned, such as the provider's id of the refund. */
  readonly reference?: string | undefined
}

/** Why nothing was changed. `changed`: it was settled, or more money has arrived, since the operator has seen it. */
export type UnmatchedProblem = "reason-missing" | "reference-missing" | "not-allowed" | "changed"

export type UnmatchedSettlingServices = {
  readonly unmatched: Pick<UnmatchedPayments, "close">
  readonly now: () => number
}

/** Settles a payment as the operator has seen it. Returns why nothing was changed, or null. Idempotent: only one settles it. */
export async function settleUnmatched(
  { unmatched, now }: UnmatchedSettlingServices,
  payment: UnmatchedPayment,
  { action, reason, reference = "", operator }: UnmatchedChange & { readonly operator: string },
): Promise<UnmatchedProblem | null> {
  if (!unmatchedAllows(payment, action)) return "not-allowed"
  if (reason === "") return "reason-missing"
  if (action === "return-payment" && reference === "") return "reference-missing"
  const settling = { id: payment.id, expected: payment.amount, operator, reason, at: now() }
  const state = action === "return-payment" ? "returned" : "dismissed"
  const isClosed = await unmatched.close({ ...settling, state, reference: reference || null })
  return isClosed ? null : "changed"
}

/** A form of the page of a payment. `seen`: see `seenOfUnmatched`. */
export type UnmatchedForm = UnmatchedChange & {
  readonly formKey: string
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

export type UnmatchedOutcome =
  | ActionOutcome<null>
  | { readonly kind: "problem"; readonly problem: UnmatchedProblem }
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
  const { role, email: operator } = actor.session
  // What a role may not do is refused, and recorded, by `runOperatorAction`.
  const problem = mayDo(role, action) ? problemOf(payment, form) : null
  if (problem) return { kind: "problem", problem }
  const request = { action, subject: subjectOf(payment), reason: reason || null, formKey, proof }
  const outcome = await runOperatorAction(services, actor, request, async () => {
    const value = await settleUnmatched({ unmatched, now: services.now }, payment, { ...form, operator })
    const after = (await unmatched.find(id)) ?? payment
    return {
      before: auditedPayment(payment),
      after: { ...auditedPayment(after), result: value ?? "done" },
      value,
    }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value === null ? { kind: "done", value: null } : { kind: "problem", problem: outcome.value }
}

function problemOf(
  payment: UnmatchedPayment,
  { seen, reason, action, reference = "" }: UnmatchedForm,
): UnmatchedProblem | null {
  if (seen !== seenOfUnmatched(payment)) return "changed"
  if (reason === "") return "reason-missing"
  if (action === "return-payment" && reference === "") return "reference-missing"
  return unmatchedAllows(payment, action) ? null : "not-allowed"
}

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
