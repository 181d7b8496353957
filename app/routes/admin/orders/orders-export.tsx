import { consoleRequest } from "~/context/console.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { exportOrders } from "~/flows/admin/orders/export-orders.server"
import { orderFilterFields, orderQueryIn } from "~/flows/admin/orders/order-query.server"
import { isProven, runOperatorAction } from "~/flows/admin/run-operator-action.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ExportScreen } from "~/ui/admin/export-form.server"
import { noticeOf } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import type { Route } from "./+types/orders-export"

/** There is only a form's answer here. */
export function loader() {
  throw new Response(null, { status: 404 })
}

/** Orders as a CSV file, written while they are read. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, session, actor } = consoleRequest(context)
  const form = await formOf(request)
  const { filter } = orderQueryIn((field) => textIn(form, field), services.shop.timeZone)
  const reason = textIn(form, "reason").trim()
  const finder = { orders: services.console.orders, now: () => Date.now() }
  const asked = {
    action: "export-orders",
    subject: "orders",
    reason: reason || null,
    formKey: textIn(form, "key"),
    proof: { password: textIn(form, "password"), code: textIn(form, "code") },
  } as const
  const outcome = await runOperatorAction(services, actor, asked, async () => ({
    after: { filter },
    value: exportOrders(finder, filter),
  }))
  if (outcome.kind === "done") return csvResponse("orders.csv", outcome.value)
  const notice = noticeOf(outcome)
  const typed = Object.fromEntries(orderFilterFields.map((field) => [field, textIn(form, field)]))
  return consolePage(
    context,
    { title: t("list.export"), path: "/admin/orders", status: 422 },
    <ExportScreen
      path="/admin/orders/export"
      conditions={typed}
      reason={reason}
      notice={notice}
      formKey={newFormKey(services, session)}
      isProven={isProven(session, services.now())}
      problem={notice?.proof ?? null}
    />,
  )
}
