import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { emailShownTo, mayDo, operatorShownTo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  type AuditFilter,
  auditedActions,
  auditFilterFields,
  auditFilterIn,
  auditLines,
  invalidDays,
  listAudit,
} from "~/flows/admin/operators/audit-entries.server"
import { missingReason, runOperatorForm } from "~/flows/admin/run-operator-action.server"
import { formOf, textIn } from "~/http/form.server"
import { streamedResponse } from "~/http/streamed-response.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { AuditScreen } from "~/ui/admin/operators/audit-screen.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/audit"

const PATH = "/admin/audit"
const PER_PAGE = 50

/** What operators did, newest first, by operator, action and subject; with `check`, whether the log is whole. */
export function loader({ context, url }: Route.LoaderArgs) {
  return auditPage(context, url, { notice: null, reason: null })
}

/** The whole log as a file, written while it is read. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  if (textIn(form, "action") !== "export-audit-log") return redirect(PATH, 303)
  const asked = actionFormIn(form)
  const { reason } = asked
  const about = { action: "export-audit-log", subject: "audit log", problem: missingReason(reason) } as const
  const { auditLog } = services.console
  const outcome = await runOperatorForm(services, actor, { ...about, ...asked }, async () => ({
    value: auditLines(auditLog),
  }))
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind !== "done") {
    const notice = problemNotice(outcome, () => t("audit.reasonMissing"))
    return auditPage(context, url, { notice, reason })
  }
  return streamedResponse(bytesOf(outcome.value), {
    headers: {
      "content-type": "application/x-ndjson; charset=utf-8",
      "content-disposition": 'attachment; filename="audit-log.jsonl"',
    },
  })
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(line)
}

/** `reason`: of the form that was refused. */
type Shown = { readonly notice: ActionNotice | null; readonly reason: string | null }

async function auditPage(
  context: RouteContext,
  { searchParams }: URL,
  { notice, reason }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { role } = session
  const { auditLog, operators } = services.console
  const filter = auditFilterIn((field) => searchParams.get(field) ?? "")
  const before = Number(searchParams.get("before") ?? Number.NaN)
  const { timeZone } = services.shop
  const { entries, older } = await listAudit({ auditLog, operators, timeZone }, filter, {
    limit: PER_PAGE,
    before: Number.isSafeInteger(before) ? before : undefined,
  })
  const everyone = await operators.list()
  return consolePage(
    context,
    { title: t("audit.title"), path: PATH, notice },
    <AuditScreen
      entries={entries.map((it) => ({ ...it, operator: operatorShownTo(role, it.operator) }))}
      older={older === null ? null : addressOf(filter, { before: String(older) })}
      filter={filter}
      invalid={invalidDays(filter).map((it) => t(`audit.${it}`))}
      operators={everyone.map(({ id, email }) => ({ id, name: emailShownTo(role, email) }))}
      actions={auditedActions}
      verdict={searchParams.has("check") ? await auditLog.verify() : null}
      mayExport={mayDo(role, "export-audit-log")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={reason === null ? null : { reason }}
      timeZone={timeZone}
    />,
  )
}

function addressOf(filter: AuditFilter, place: Record<string, string>): string {
  const set = auditFilterFields.filter((field) => filter[field] !== "").map((field) => [field, filter[field]])
  return consoleHref(
    `${PATH}?${new URLSearchParams([...set, ...Object.entries(place)] as [string, string][])}`,
  )
}
