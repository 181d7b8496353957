import type { MailListed } from "~/billing/orders/order-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { SentKey } from "./form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "./run-operator-action.server"

/** Named in the audit log, which has no addresses. */
export const SUPPRESSED_ADDRESS = "suppressed address"

/** `no-mail`: the shop sends none. */
export type MailProblem = "reason-missing" | "changed" | "no-mail" | "not-suppressed"

type Problem = FormProblem<MailProblem>

type SentForm = { readonly reason: string; readonly formKey: SentKey }

/** What an operator has seen of a message: another text says that something has happened since. */
export function seenOfMail({ state, tries }: Pick<MailListed, "state" | "tries">): string {
  return `${state} ${tries}`
}

/** Sends a message again by a form of the console, and writes the audit log. */
export async function resendByForm(
  services: ConsoleServices,
  actor: Actor,
  { mail, form }: { readonly mail: MailListed; readonly form: SentForm & { readonly seen: string } },
): Promise<ActionOutcome<null> | Problem> {
  const { reason, formKey } = form
  const problem = resendProblem(services, mail, form)
  const request = { action: "resend-mail", subject: `message ${mail.id}`, reason, formKey, problem } as const
  return runOperatorForm(services, actor, request, async () => {
    await services.console.mail.resendMail(mail.id, services.now())
    services.wakeJobs()
    return { before: { state: mail.state, tries: mail.tries }, value: null }
  })
}

function resendProblem(
  { mailer }: Pick<ConsoleServices, "mailer">,
  mail: MailListed,
  { seen, reason }: SentForm & { readonly seen: string },
): MailProblem | null {
  if (!mailer) return "no-mail"
  if (seen !== seenOfMail(mail)) return "changed"
  return missingReason(reason)
}

/** Lets an address have mail again by a form of the console, and writes the audit log. */
export async function allowAddressByForm(
  services: ConsoleServices,
  actor: Actor,
  { email, reason, formKey }: SentForm & { readonly email: string },
): Promise<ActionOutcome<null> | Problem> {
  const problem = missingReason(reason)
  const request = { action: "allow-address", subject: SUPPRESSED_ADDRESS, reason, formKey, problem } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const ended = await services.console.mail.endSuppressions(email)
    return { after: { ended }, value: ended }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value === 0 ? { kind: "problem", problem: "not-suppressed" } : { kind: "done", value: null }
}
