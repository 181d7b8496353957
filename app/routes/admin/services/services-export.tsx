import { consoleRequest } from "~/context/console.server"
import { exportServices } from "~/flows/admin/services/export-services.server"
import { serviceFilterFields, serviceQueryIn } from "~/flows/admin/services/find-services.server"
import { formOf, textIn } from "~/http/form.server"
import { listExport } from "../list-export.server"
import type { Route } from "./+types/services-export"

/** There is only a form's answer here. */
export function loader() {
  throw new Response(null, { status: 404 })
}

/** Services as a CSV file, written while they are read. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services } = consoleRequest(context)
  const form = await formOf(request)
  const calendar = { timeZone: services.shop.timeZone, now: services.now() }
  const { filter } = serviceQueryIn((field) => textIn(form, field), calendar)
  return listExport(context, form, {
    action: "export-services",
    list: "services",
    fields: serviceFilterFields,
    filter,
    lines: exportServices(services.console, filter),
  })
}
