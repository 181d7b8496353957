import { redirect } from "react-router"
import { consoleRequest, SENT_BEFORE } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { Decided } from "~/flows/admin/approvals/decide-on-request.server"
import type { CustomerOutcome } from "~/flows/admin/customers/act-on-customer.server"
import { type ActionOutcome, isProven } from "~/flows/admin/run-operator-action.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import type { ActionNotice, ProofAsked } from "~/ui/admin/form-parts.server"

/**
 * Leads to a page that says that its form had acted before, and that nothing was done this time. How it ended then is not known: it may
 * have been refused, or may still be under way.
 */
export function sentBefore(path: string): Response {
  return redirect(`${path}${path.includes("?") ? "&" : "?"}${SENT_BEFORE}`, 303)
}

/** An action that was not done, and whose form is shown again. */
type Undone = Exclude<ActionOutcome<unknown>, { kind: "done" | "repeated" }>

/** What a page says about an action that was not done. */
export function noticeOf(outcome: Undone): ActionNotice {
  if (outcome.kind === "unproven")
    return { kind: "bad", text: t(`proof.${outcome.problem}`), proof: outcome.problem }
  return { kind: "bad", text: t(`refused.${outcome.kind}`) }
}

/** The same of an action that has problems of its own. */
export function problemNotice<Problem>(
  outcome: Undone | { kind: "problem"; problem: Problem },
  textOf: (problem: Problem) => string,
): ActionNotice | null {
  return outcome.kind === "problem" ? { kind: "bad", text: textOf(outcome.problem) } : noticeOf(outcome)
}

/** What a page says about an action on a customer that was not done. */
export function customerNotice(
  outcome: Exclude<Decided<CustomerOutcome<unknown>>, { kind: "done" | "repeated" }>,
): ActionNotice | null {
  if (outcome.kind === "no-such-customer") return null
  return problemNotice(outcome, (it) => t(`customer.problems.${it}`))
}

/** Whether the forms of a page ask for password and code, and what was wrong with them. */
export function proofAsked(context: RouteContext, notice: Pick<ActionNotice, "proof"> | null): ProofAsked {
  const { services, session } = consoleRequest(context)
  return { isProven: isProven(session, services.now()), problem: notice?.proof ?? null }
}
