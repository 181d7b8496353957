import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { type BulkKind, bulkKindIn } from "~/domain/console/bulk"
import { mayDo, needsProof, operatorShownTo } from "~/domain/operators/operator"
import { type BulkQuery, bulkQueryIn } from "~/flows/admin/bulk/bulk-query.server"
import { type Chosen, chooseRows } from "~/flows/admin/bulk/choose-bulk.server"
import { type BulkOutcome, offersBulk, preparingOf, startBulk } from "~/flows/admin/bulk/start-bulk.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BulkPreviewScreen } from "~/ui/admin/bulk/bulk-preview-screen.server"
import { BulkRunsScreen, bulkRunPath } from "~/ui/admin/bulk/bulk-run-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofIn, sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/bulk"

const PATH = "/admin/bulk"
const LISTED = 50

/** The runs; with a list and an action, what the action would do with the rows of a filter. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const text = (name: string) => url.searchParams.get(name) ?? ""
  const kind = bulkKindIn(text("list"), text("action"))
  if (!kind) return runList(context)
  return previewPage(context, { kind, text, notice: null, days: "", message: "", reason: "" })
}

async function runList(context: RouteContext): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const runs = await services.bulk.newest(LISTED)
  return consolePage(
    context,
    { title: t("bulk.title"), path: PATH },
    <BulkRunsScreen
      runs={runs.map((it) => ({ ...it, operator: operatorShownTo(session.role, it.operator) }))}
      timeZone={services.shop.timeZone}
    />,
  )
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const text = (name: string) => textIn(form, name)
  const kind = bulkKindIn(text("list"), text("action"))
  if (!kind) return redirect(PATH, 303)
  const typed = { days: text("days"), message: text("message"), reason: text("reason").trim() }
  const outcome = await startBulk(services, actor, {
    kind,
    query: queryIn(context, kind, text),
    ...typed,
    shownAt: Math.min(numberIn(text("shown")), services.now()),
    count: numberIn(text("count")),
    formKey: sentKeyIn(form),
    proof: proofIn(form),
  })
  if (outcome.kind === "begun") return redirect(bulkRunPath(outcome.id), 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  return previewPage(context, { kind, text, notice: noticeFor(outcome), ...typed })
}

/** 0 for a text that is no number: then nothing has been seen. */
function numberIn(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function noticeFor(outcome: Exclude<BulkOutcome, { kind: "begun" | "repeated" }>): ActionNotice | null {
  return problemNotice(outcome, (it) => t(`bulk.problems.${it}`))
}

function queryIn(context: RouteContext, { list }: BulkKind, text: (name: string) => string): BulkQuery {
  const { services } = consoleRequest(context)
  return bulkQueryIn(list, text, { timeZone: services.shop.timeZone, now: services.now() })
}

type Preview = {
  readonly kind: BulkKind
  readonly text: (name: string) => string
  readonly notice: ActionNotice | null
  readonly days: string
  readonly message: string
  readonly reason: string
}

const none: Chosen = { items: [], examples: [], isCut: false }

async function previewPage(
  context: RouteContext,
  { kind, text, notice, days, message, reason }: Preview,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { chosen, typed, invalid } = queryIn(context, kind, text)
  const shownAt = services.now()
  const preparing = preparingOf(services)
  const isOffered = invalid.length === 0 && offersBulk(kind, preparing)
  const found = isOffered
    ? await chooseRows(preparing, { ...chosen, action: kind.action, until: shownAt + 1 })
    : none
  const mayBegin = mayDo(session.role, kind.action) && found.items.length > 0 && !found.isCut
  const proof = needsProof(kind.action) ? { isProven: isProven(session, shownAt) } : null
  const form = {
    formKey: newFormKey(services, session),
    shownAt,
    typedDays: days,
    typedMessage: message,
    typedReason: reason,
    proof,
  }
  return consolePage(
    context,
    { title: t(`bulk.actions.${kind.action}`), path: PATH, notice },
    <BulkPreviewScreen
      kind={kind}
      typed={typed}
      invalid={invalid}
      count={found.items.length}
      examples={found.examples}
      isCut={found.isCut}
      form={mayBegin ? form : null}
      notice={notice}
    />,
  )
}
