import { consoleRequest } from "~/context/console.server"
import { orderView, storedCodes, wholeTimeline } from "~/flows/admin/orders/order-page.server"
import { csvFile } from "~/http/csv"
import { amountText } from "~/ui/admin/amount-text.server"
import type { Route } from "./+types/order-timeline"

/** All that has happened to an order, as a CSV file. Times are UTC. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const view = await orderView(services, params.number, session.role)
  if (!view) throw new Response(null, { status: 404 })
  const rows = wholeTimeline(view, { ...storedCodes, amount: amountText }).map(
    ({ at, what, name, detail }) => [new Date(at).toISOString(), what, name, detail],
  )
  return new Response(csvFile(["time", "source", "what", "detail"], rows), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="order.csv"',
    },
  })
}
