import { consoleRequest } from "~/context/console.server"
import { exportOrders } from "~/flows/admin/orders/export-orders.server"
import { orderFilterFields, orderQueryIn } from "~/flows/admin/orders/order-query.server"
import { formOf, textIn } from "~/http/form.server"
import { listExport } from "../list-export.server"
import type { Route } from "./+types/orders-export"

/** There is only a form's answer here. */
export function loader() {
  throw new Response(null, { status: 404 })
}

/** Orders as a CSV file, written while they are read. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services } = consoleRequest(context)
  const form = await formOf(request)
  const { filter } = orderQueryIn((field) => textIn(form, field), services.shop.timeZone)
  const finder = { orders: services.console.orders, now: services.console.machineNow }
  return listExport(context, form, {
    action: "export-orders",
    list: "orders",
    fields: orderFilterFields,
    filter,
    lines: exportOrders(finder, filter),
  })
}
