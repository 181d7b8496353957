import { consoleRequest } from "~/context/console.server"
import { exportCustomerData } from "~/flows/admin/customers/act-on-customer.server"
import { customerExportText } from "~/flows/admin/customers/customer-export-text"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { sentBefore } from "../action-notice.server"
import type { Route } from "./+types/customer-export"
import { handedOutPage } from "./customer-handed-out.server"

/** There is only a form's answer here. */
export function loader() {
  throw new Response(null, { status: 404 })
}

/** All stored data of a customer, as a JSON file. */
export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const asked = { id, ...changeFormIn(await formOf(request)) }
  const outcome = await exportCustomerData(services, actor, asked)
  if (outcome.kind === "repeated") return sentBefore(`/admin/customers/${encodeURIComponent(id)}`)
  if (outcome.kind !== "done") return handedOutPage(context, { action: "export-customer", asked, outcome })
  return new Response(customerExportText(outcome.value, services.now()), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": 'attachment; filename="customer.json"',
    },
  })
}
