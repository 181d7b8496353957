import type { AuditLog } from "~/billing/operators/audit-log"
import type { ConsoleServices } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import { isEmail } from "~/domain/customers/email"
import type { Mailer, MailOutcome } from "~/mail/mailer"
import type { SentKey } from "./form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "./run-operator-action.server"

/** Named in the audit log, which has no addresses. */
export const MAIL_SERVER = "mail server"
const ACTION = "send-test-mail"

/** How long an operator waits for the mail server. */
const PATIENCE = 60 * SECOND

/** Sends a test message to an address now, past the mail log. Never throws, like the mailer. */
export function sendTestMail(mailer: Mailer, address: string): Promise<MailOutcome> {
  const text = "This is a test message. The shop's mail goes out."
  const message = { subject: "Test message", text: `${text}\n`, html: `<p>${text}</p>` }
  const test = { id: crypto.randomUUID(), to: { name: "", address }, unsubscribeUrl: null, ...message }
  return mailer.send(test, AbortSignal.timeout(PATIENCE))
}

/** The mail server's answer, or why there is none. */
export function answerIn(outcome: MailOutcome): string {
  return outcome.kind === "sent" ? outcome.response : outcome.reason
}

export type TestMailProblem = "reason-missing" | "email-invalid" | "no-mail"

export type TestMailOutcome = FormOutcome<MailOutcome, TestMailProblem>

type SentForm = { readonly email: string; readonly reason: string; readonly formKey: SentKey }

/** Sends a test message by a form of the console; what the mail server has answered is in the audit log. */
export async function testMailByForm(
  services: ConsoleServices,
  actor: Actor,
  { email, reason, formKey }: SentForm,
): Promise<TestMailOutcome> {
  const { mailer } = services
  if (!mailer) return { kind: "problem", problem: "no-mail" }
  const request = {
    action: ACTION,
    subject: MAIL_SERVER,
    reason,
    formKey,
    problem: problemOf({ email, reason }),
  } as const
  return runOperatorForm(services, actor, request, async () => {
    const value = await sendTestMail(mailer, email)
    return { after: { outcome: value.kind, answer: answerIn(value) }, value }
  })
}

function problemOf({ email, reason }: Pick<SentForm, "email" | "reason">): TestMailProblem | null {
  if (!isEmail(email)) return "email-invalid"
  return missingReason(reason)
}

/** Whether the mail server has taken one of the last test messages of the console. */
export async function isTestMailSent(auditLog: Pick<AuditLog, "newest">): Promise<boolean> {
  const entries = await auditLog.newest({ subject: MAIL_SERVER, action: ACTION, limit: 20 })
  return entries.some(
    ({ outcome, after }) => outcome === "done" && after !== null && outcomeIn(after) === "sent",
  )
}

function outcomeIn(after: string): string | null {
  const { outcome = null }: { readonly outcome?: string | null } = JSON.parse(after)
  return outcome
}
