import type { Diagnostic } from "~/billing/diagnostic"
import type { DocumentNumbers, NumberSeries } from "~/billing/documents/document-numbers"
import type { AuditLog } from "~/billing/operators/audit-log"
import type { ConsoleServices } from "~/context/services.server"
import { type DocumentNumber, documentNumberIn } from "~/domain/accounting/document-number"
import { documentNumber, type IssuedKind } from "~/domain/accounting/tax-document"
import type { Instant } from "~/domain/calendar"
import { lastRestore } from "../backups.server"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "../run-operator-action.server"

/** Subjects of the audit log's entries about numbers. */
export const numberSubjects = {
  invoice: "numbers of invoices",
  "credit-note": "numbers of credit notes",
} as const satisfies Record<IssuedKind, string>

const CONTINUE_NUMBERS = "continue-numbers"

/** A backup was restored, and the numbers of these kinds that were handed out since it was made may be given again. */
export type UnconfirmedNumbers = {
  readonly restoredAt: Instant
  readonly series: readonly NumberSeries[]
}

type Sources = {
  readonly auditLog: Pick<AuditLog, "newest">
  readonly documentNumbers: Pick<DocumentNumbers, "numberSeries">
}

/**
 * Series of which nobody has said since the last restore how far they had gone. Null: there was none, or the database that it has
 * replaced had the numbers.
 */
export async function unconfirmedNumbers(
  { auditLog, documentNumbers }: Sources,
  now: Instant,
): Promise<UnconfirmedNumbers | null> {
  const restored = await lastRestore(auditLog)
  if (!restored || restored.keepsNumbers) return null
  const series: NumberSeries[] = []
  for (const it of await documentNumbers.numberSeries(now)) {
    const [said] = await auditLog.newest({
      subject: numberSubjects[it.kind],
      action: CONTINUE_NUMBERS,
      limit: 1,
    })
    // The backup brings its own log: what was said before it is in it.
    if (said?.outcome !== "done" || said.position < restored.position) series.push(it)
  }
  return series.length === 0 ? null : { restoredAt: restored.at, series }
}

/** The finding of `doctor` about numbers that may be given twice. */
export async function diagnoseNumbers(sources: Sources, now: Instant): Promise<readonly Diagnostic[]> {
  const unconfirmed = await unconfirmedNumbers(sources, now)
  if (!unconfirmed) return []
  const commands = unconfirmed.series
    .map((it) => `"documents continue-after ${numberText(it)}"`)
    .join(" and ")
  const message = `a backup was restored, and numbers that were handed out since it was made are given again. Say which were the last, or that it were those of the backup: ${commands}`
  return [{ ok: false, check: "document numbers", message }]
}

/** `no-series`: the shop gives no numbers. `none`: it does not look like one of this shop. `other-year`: only those of this year are still given. */
export type NumberProblem = "no-series" | "none" | "other-year" | "behind"

export type NumberAsked =
  | { readonly kind: "possible"; readonly number: DocumentNumber; readonly series: NumberSeries }
  | { readonly kind: "problem"; readonly problem: NumberProblem }

/** Whether a series can go on after a number. The last one of a series can be given: it says that none was handed out after it. */
export function numberAsked(text: string, series: readonly NumberSeries[]): NumberAsked {
  if (series.length === 0) return { kind: "problem", problem: "no-series" }
  const number = documentNumberIn(text.trim(), series)
  const own = series.find(({ kind }) => kind === number?.kind)
  if (!number || !own) return { kind: "problem", problem: "none" }
  if (number.year !== own.year) return { kind: "problem", problem: "other-year" }
  if (number.sequence < own.sequence) return { kind: "problem", problem: "behind" }
  return { kind: "possible", number, series: own }
}

/** A number of a series, by default its last one. */
export function numberText({ prefix, year, sequence }: NumberSeries, nth = sequence): string {
  return documentNumber(prefix, year, nth)
}

type NumberForm = {
  readonly number: string
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

type Problem = FormProblem<NumberProblem | "reason-missing">

/** Lets a series go on after a number by a form of the console, and writes the audit log. */
export async function continueNumbersByForm(
  services: ConsoleServices,
  actor: Actor,
  { number: text, reason, formKey, proof }: NumberForm,
): Promise<ActionOutcome<boolean> | Problem> {
  const { documentNumbers } = services.console
  const asked = numberAsked(text, await documentNumbers.numberSeries(services.now()))
  const missing = missingReason(reason)
  const problem = asked.kind === "problem" ? asked.problem : missing
  const subject = asked.kind === "possible" ? numberSubjects[asked.number.kind] : "numbers"
  const request = { action: CONTINUE_NUMBERS, subject, reason, formKey, proof, problem } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    if (asked.kind === "problem") throw new Error(`Not done: ${asked.problem}`)
    return continued(documentNumbers, asked)
  })
  // Another sale has drawn the number meanwhile.
  return outcome.kind === "done" && !outcome.value ? { kind: "problem", problem: "behind" } : outcome
}

/** What the audit log keeps of a series that goes on after a number. */
export async function continued(
  documentNumbers: Pick<DocumentNumbers, "continueNumbers">,
  { number, series }: Extract<NumberAsked, { kind: "possible" }>,
) {
  const value = await documentNumbers.continueNumbers(number)
  const last = numberText(series, number.sequence)
  return { before: { last: numberText(series) }, after: value ? { last } : { error: "behind" }, value }
}
