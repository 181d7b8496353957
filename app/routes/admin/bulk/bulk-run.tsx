import { redirect } from "react-router"
import type { BulkRun } from "~/billing/operators/bulk-runs"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo, operatorShownTo } from "~/domain/operators/operator"
import { resultOf } from "~/flows/admin/bulk/bulk-result.server"
import { type StopOutcome, stopBulk } from "~/flows/admin/bulk/start-bulk.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BulkRunScreen, bulkRunPath } from "~/ui/admin/bulk/bulk-run-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/bulk-run"

/** Skipped rows on the page; the file has all. */
const LISTED = 100

/** How far a run has come. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const run = await foundRun(context, params.id)
  return runPage(context, run, { notice: doneNotice(url.searchParams), reason: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const reason = textIn(form, "reason").trim()
  const outcome = await stopBulk(services, actor, { id: params.id, reason, formKey: sentKeyIn(form) })
  if (outcome.kind === "repeated") return sentBefore(bulkRunPath(params.id))
  if (outcome.kind === "done") return redirect(`${bulkRunPath(params.id)}?${doneQuery("stop-bulk")}`, 303)
  return runPage(context, await foundRun(context, params.id), { notice: noticeFor(outcome), reason })
}

function noticeFor(outcome: Exclude<StopOutcome, { kind: "done" | "repeated" }>): ActionNotice | null {
  if (outcome.kind === "no-such-run") return null
  return problemNotice(outcome, (it) => t(`bulk.problems.${it}`))
}

async function foundRun(context: RouteContext, id: string): Promise<BulkRun> {
  const run = await consoleRequest(context).services.bulk.find(id)
  if (!run) throw new Response(null, { status: 404 })
  return run
}

type Shown = { readonly notice: ActionNotice | null; readonly reason: string | null }

async function runPage(context: RouteContext, run: BulkRun, { notice, reason }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const isRunning = run.stoppedAt === null && run.finishedAt === null
  const { role } = session
  return consolePage(
    context,
    { title: t("bulk.title"), path: "/admin/bulk", notice },
    <BulkRunScreen
      run={{
        ...run,
        operator: operatorShownTo(role, run.operator),
        stoppedBy: run.stoppedBy && operatorShownTo(role, run.stoppedBy),
      }}
      skipped={await skippedOf(context, run)}
      stop={
        isRunning && mayDo(role, "stop-bulk")
          ? { formKey: newFormKey(services, session), refused: reason === null ? null : { reason } }
          : null
      }
      notice={notice}
      timeZone={services.shop.timeZone}
    />,
  )
}

async function skippedOf(context: RouteContext, { id, counts }: BulkRun) {
  const listed = Math.min(counts.skipped, LISTED)
  const skipped = []
  if (listed === 0) return []
  for await (const item of resultOf(consoleRequest(context).services, id)) {
    if (item.state === "skipped") skipped.push(item)
    if (skipped.length === listed) break
  }
  return skipped
}
