import { data } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { isProven, runOperatorAction } from "~/flows/admin/run-operator-action.server"
import { exportServices } from "~/flows/admin/services/export-services.server"
import { serviceFilterFields, serviceQueryIn } from "~/flows/admin/services/find-services.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ExportScreen } from "~/ui/admin/export-form.server"
import { noticeOf } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import type { Route } from "./+types/services-export"

/** There is only a form's answer here. */
export function loader() {
  throw data(null, { status: 404 })
}

/** Services as a CSV file, written while they are read. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, session, actor } = consoleRequest(context)
  const form = await formOf(request)
  const calendar = { timeZone: services.shop.timeZone, now: services.now() }
  const { filter } = serviceQueryIn((field) => textIn(form, field), calendar)
  const reason = textIn(form, "reason").trim()
  const asked = {
    action: "export-services",
    subject: "services",
    reason: reason || null,
    formKey: textIn(form, "key"),
    proof: { password: textIn(form, "password"), code: textIn(form, "code") },
  } as const
  const outcome = await runOperatorAction(services, actor, asked, async () => ({
    after: { filter },
    value: exportServices(services.console, filter),
  }))
  if (outcome.kind === "done") return csvResponse("services.csv", outcome.value)
  const notice = noticeOf(outcome)
  return consolePage(
    context,
    { title: t("list.export"), path: "/admin/services", status: 422 },
    <ExportScreen
      path="/admin/services/export"
      conditions={Object.fromEntries(serviceFilterFields.map((field) => [field, textIn(form, field)]))}
      reason={reason}
      notice={notice}
      formKey={newFormKey(services, session)}
      isProven={isProven(session, services.now())}
      problem={notice?.proof ?? null}
    />,
  )
}
