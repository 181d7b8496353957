import type { ConsoleServices } from "~/context/services.server"
import { type Quarter, quarterText } from "~/domain/accounting/accounting"
import type { SentKey } from "../form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "../run-operator-action.server"
import type { AccountingDays } from "./accounting-days.server"
import { type AccountingFileKind, accountingFile, quarterFile } from "./accounting-files.server"
import type { AccountingSources } from "./show-accounting.server"

/** What a file is about: some days, or the one-stop-shop return of a quarter. */
export type AccountingExport =
  | { readonly file: AccountingFileKind; readonly days: AccountingDays }
  | { readonly file: "one-stop-shop"; readonly quarter: Quarter }

export type ExportForm = {
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

type Exported = FormOutcome<AsyncIterable<string>, "reason-missing">

/** A file for a bookkeeper, line by line. Writes the audit log. Null: the shop sells by no rules for tax. */
export async function exportAccounting(
  services: ConsoleServices,
  actor: Actor,
  { asked, form }: { readonly asked: AccountingExport; readonly form: ExportForm },
): Promise<Exported | null> {
  const { reason, formKey, proof } = form
  const lines = linesOf(services, asked)
  if (lines === null) return null
  const problem = missingReason(reason)
  const request = {
    action: "export-accounting",
    subject: "accounting",
    reason,
    formKey,
    proof,
    problem,
  } as const
  return runOperatorForm(services, actor, request, async () => ({
    after: keptOf(asked),
    value: lines,
  }))
}

/** Nothing is read before the first line is asked for. */
function linesOf(services: ConsoleServices, asked: AccountingExport): AsyncIterable<string> | null {
  const { shop } = services
  const sources = accountingSources(services)
  if (asked.file !== "one-stop-shop") return accountingFile(asked.file, sources, asked.days)
  return shop.tax && quarterFile(sources, shop.tax, asked.quarter)
}

/** What the console reads its accounting from. */
export function accountingSources({ console, documents }: ConsoleServices): AccountingSources {
  return { ledgers: console.accounting, documents }
}

/** What the audit log keeps of an export. */
export function keptOf(asked: AccountingExport): Readonly<Record<string, string>> {
  return asked.file === "one-stop-shop"
    ? { file: asked.file, quarter: quarterText(asked.quarter) }
    : { file: asked.file, from: asked.days.firstDay, to: asked.days.lastDay }
}
