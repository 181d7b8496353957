import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  ProofFields,
  type ProofProblem,
  ReasonField,
} from "./form-parts.server"

export type ExportProps = {
  formKey: string
  isProven: boolean
  problem: ProofProblem | null
}

type ExportFormProps = ExportProps & {
  /** What answers with the file. */
  path: string
  /** The filter of the list, by field. */
  conditions: Readonly<Record<string, string>>
  reason: string
  /** Asks for the reason; absent: for that of the whole filter. */
  lead?: string | undefined
}

/** Leads from a list to its file. */
export function ExportCard(form: Omit<ExportFormProps, "reason">) {
  return (
    <details className="card">
      <summary>{t("list.export")}</summary>
      <ExportForm reason="" {...form} />
    </details>
  )
}

function ExportForm({
  path,
  conditions,
  reason,
  lead = t("list.exportLead"),
  formKey,
  ...proof
}: ExportFormProps) {
  return (
    <form method="post" action={consoleHref(path)}>
      <FormKey value={formKey} />
      {Object.entries(conditions).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ReasonField id="reason" label={lead} value={reason} />
      <ProofFields {...proof} form="export" />
      <button className="button" type="submit">
        {t("list.export")}
      </button>
    </form>
  )
}

/** The form of an export that was refused. */
export function ExportScreen({ notice, ...form }: ExportFormProps & { notice: ActionNotice | null }) {
  return (
    <>
      <h1>{t("list.export")}</h1>
      <FormNotice notice={notice} />
      <section className="card">
        <ExportForm {...form} />
      </section>
    </>
  )
}
