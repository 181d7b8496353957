import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { ConsoleServices } from "~/context/services.server"
import { type Quarter, quarterIn, quarterText } from "~/domain/accounting/accounting"
import { mayDo } from "~/domain/operators/operator"
import { lastQuarter } from "~/flows/admin/accounting/accounting-days.server"
import { accountingSources, exportAccounting } from "~/flows/admin/accounting/export-accounting.server"
import { quarterReport } from "~/flows/admin/accounting/show-accounting.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { OneStopShopScreen } from "~/ui/admin/accounting/one-stop-shop-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofIn, sentKeyIn } from "../action-form.server"
import { problemNotice, proofAsked } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import type { Route } from "./+types/one-stop-shop"

const PATH = "/admin/accounting/one-stop-shop"

/** The one-stop-shop report of the quarter in the address; of the last one without it. */
export function loader({ context, url }: Route.LoaderArgs) {
  return reportPage(context, url, { notice: null, reason: null })
}

/** The report as a file. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const data = await formOf(request)
  const { quarter } = quarterOf(services, url)
  const address = `${PATH}?quarter=${quarterText(quarter)}`
  if (textIn(data, "action") !== "export-accounting") return redirect(address, 303)
  const reason = textIn(data, "reason").trim()
  const form = { reason, formKey: sentKeyIn(data), proof: proofIn(data) }
  const asked = { file: "one-stop-shop", quarter } as const
  const outcome = await exportAccounting(services, actor, { asked, form })
  if (outcome === null || outcome.kind === "repeated") return redirect(address, 303)
  if (outcome.kind === "done") return csvResponse(`one-stop-shop-${quarterText(quarter)}.csv`, outcome.value)
  const notice = problemNotice(outcome, () => t("accounting.reasonMissing"))
  return reportPage(context, url, { notice, reason })
}

function quarterOf(
  { shop, now }: ConsoleServices,
  { searchParams }: URL,
): { readonly quarter: Quarter; readonly isInvalid: boolean } {
  const text = searchParams.get("quarter")
  const typed = text === null ? null : quarterIn(text)
  const last = lastQuarter({ timeZone: shop.timeZone, now: now() })
  return { quarter: typed ?? last, isInvalid: text !== null && typed === null }
}

/** `reason`: of the form that was refused. */
type Shown = { readonly notice: ActionNotice | null; readonly reason: string | null }

async function reportPage(context: RouteContext, url: URL, { notice, reason }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { quarter, isInvalid } = quarterOf(services, url)
  const { tax } = services.shop
  return consolePage(
    context,
    {
      title: t("accounting.oneStopShop"),
      path: "/admin/accounting",
      notice,
    },
    <OneStopShopScreen
      quarter={quarter}
      isInvalid={isInvalid}
      report={tax && (await quarterReport(accountingSources(services), tax, quarter))}
      mayExport={tax !== null && mayDo(session.role, "export-accounting")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={reason === null ? null : { reason }}
    />,
  )
}
