import type { OrderListItem } from "~/billing/orders/order-search"
import { type Cell, csvLines } from "~/http/csv"
import { allOrders, type FindServices, type OrderFilter } from "./find-orders.server"

/** All orders of a filter as a CSV file, line by line. Times are UTC. */
export function exportOrders(services: FindServices, filter: OrderFilter): AsyncGenerator<string> {
  return csvLines(columns, allOrders(services, filter))
}

const columns: Readonly<Record<string, (order: OrderListItem) => Cell>> = {
  number: ({ id }) => id,
  placed: ({ placedAt }) => new Date(placedAt).toISOString(),
  status: ({ status }) => status,
  email: ({ email }) => email,
  country: ({ country }) => country,
  gateway: ({ gateway }) => gateway,
  promotion: ({ promoCode }) => promoCode,
  total: ({ total }) => total,
  received: ({ received }) => received,
  currency: ({ total }) => total.currency,
}
