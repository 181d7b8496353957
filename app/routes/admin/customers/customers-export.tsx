import { consoleRequest } from "~/context/console.server"
import { exportCustomers } from "~/flows/admin/customers/export-customers.server"
import { formOf } from "~/http/form.server"
import { listExport } from "../list-export.server"
import type { Route } from "./+types/customers-export"

/** There is only a form's answer here. */
export function loader() {
  throw new Response(null, { status: 404 })
}

/** All customers as a CSV file, written while they are read. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services } = consoleRequest(context)
  return listExport(context, await formOf(request), {
    action: "export-customers",
    list: "customers",
    fields: [],
    filter: {},
    lines: exportCustomers(services.console),
  })
}
