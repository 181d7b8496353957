import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { BASE } from "~/domain/base-path"
import { mayDo } from "~/domain/operators/operator"
import { exportAffiliates } from "~/flows/admin/affiliate-figures.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { AffiliatesScreen } from "~/ui/admin/affiliates/affiliates-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofIn, sentKeyIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import { linksByKey } from "../list-address.server"
import type { Route } from "./+types/affiliates"
import { spanOf } from "./affiliate-span.server"

const PATH = "/admin/affiliates"
const PER_PAGE = 50

/** Affiliates with what they have brought in some days, by key. */
export function loader({ context, url }: Route.LoaderArgs) {
  return affiliatesPage(context, url, { notice: null, reason: null })
}

/** What all affiliates have brought in the days of the address, as a file. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const data = await formOf(request)
  const { span, query } = spanOf(services, url)
  const address = `${PATH}?${query}`
  if (textIn(data, "action") !== "export-affiliates") return redirect(address, 303)
  const reason = textIn(data, "reason").trim()
  const form = { reason, formKey: sentKeyIn(data), proof: proofIn(data) }
  const outcome = await exportAffiliates(services, actor, { span, form })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return csvResponse("affiliates.csv", outcome.value)
  const notice = problemNotice(outcome, () => t("affiliates.reasonMissing"))
  return affiliatesPage(context, url, { notice, reason })
}

/** `reason`: of the form that was refused. */
type Shown = { readonly notice: ActionNotice | null; readonly reason: string | null }

async function affiliatesPage(context: RouteContext, url: URL, { notice, reason }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { span, isInvalid, query } = spanOf(services, url)
  const before = url.searchParams.get("before") ?? undefined
  const after = before === undefined ? (url.searchParams.get("after") ?? undefined) : undefined
  const range = { span, after, before, limit: PER_PAGE + 1 }
  const found = await services.console.affiliates.listAffiliates(range)
  const page = found.slice(0, PER_PAGE)
  const listed = before === undefined ? page : page.toReversed()
  const ends = [listed.at(0)?.id, listed.at(-1)?.id] as const
  const address = `${PATH}?${query}`
  return consolePage(
    context,
    { title: t("affiliates.title"), path: PATH, notice },
    <AffiliatesScreen
      span={span}
      query={query}
      isInvalid={isInvalid}
      affiliates={listed}
      links={linksByKey({ address, ends, after, before, hasMore: found.length > PER_PAGE })}
      exampleLink={`${services.shop.publicUrl}${BASE}/?aff_id=7`}
      mayExport={mayDo(session.role, "export-affiliates")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={reason === null ? null : { reason }}
    />,
  )
}
