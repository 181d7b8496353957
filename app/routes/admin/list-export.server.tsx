import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { OperatorAction } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { isProven, missingReason, runOperatorForm } from "~/flows/admin/run-operator-action.server"
import { textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ExportScreen } from "~/ui/admin/export-form.server"
import { actionFormIn } from "./action-form.server"
import { problemNotice, sentBefore } from "./action-notice.server"
import { csvResponse } from "./csv-response.server"

type ListExport = {
  readonly action: OperatorAction
  /** What the list has, such as "orders": its page, the subject in the audit log, and the name of the file. */
  readonly list: "orders" | "customers" | "services"
  /** Names of the fields by which the list is filtered. */
  readonly fields: readonly string[]
  /** The filter as it was read, for the audit log. */
  readonly filter: unknown
  /** The file, which is read as it is sent. */
  readonly lines: AsyncIterable<string>
}

/** A list as a CSV file, for the reason in the form; the form again if it is refused. Writes the audit log. */
export async function listExport(
  context: RouteContext,
  form: FormData,
  { action, list, fields, filter, lines }: ListExport,
): Promise<Response> {
  const { services, session, actor } = consoleRequest(context)
  const { reason, formKey, proof } = actionFormIn(form)
  const problem = missingReason(reason)
  const request = { action, subject: list, reason, formKey, proof, problem }
  const outcome = await runOperatorForm(services, actor, request, async () => ({
    after: { filter },
    value: lines,
  }))
  if (outcome.kind === "repeated") return sentBefore(`/admin/${list}`)
  if (outcome.kind === "done") return csvResponse(`${list}.csv`, outcome.value)
  const notice = problemNotice(outcome, () => t("list.reasonMissing"))
  return consolePage(
    context,
    { title: t("list.export"), path: `/admin/${list}`, status: 422 },
    <ExportScreen
      path={`/admin/${list}/export`}
      conditions={Object.fromEntries(fields.map((field) => [field, textIn(form, field)]))}
      reason={reason}
      lead={list === "customers" ? t("customers.exportLead") : undefined}
      notice={notice}
      formKey={newFormKey(services, session)}
      isProven={isProven(session, services.now())}
      problem={notice?.proof ?? null}
    />,
  )
}
