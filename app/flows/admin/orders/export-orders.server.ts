import type { OrderListItem } from "~/billing/orders/order-search"
import { toDecimal } from "~/domain/money"
import { CSV_START, csvLine } from "~/http/csv"
import { allOrders, type FindServices, type OrderFilter } from "./find-orders.server"

const COMMA = { separator: "," } as const

/** All orders of a filter as a CSV file, piece by piece: it is never whole in memory. Times are UTC. */
export async function* exportOrders(services: FindServices, filter: OrderFilter): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(Object.keys(columns), COMMA)}`
  for await (const order of allOrders(services, filter))
    yield csvLine(
      Object.values(columns).map((cellOf) => cellOf(order)),
      COMMA,
    )
}

const columns: { readonly [name: string]: (order: OrderListItem) => string | null } = {
  number: ({ id }) => id,
  placed: ({ placedAt }) => new Date(placedAt).toISOString(),
  status: ({ status }) => status,
  email: ({ email }) => email,
  country: ({ country }) => country,
  gateway: ({ gateway }) => gateway,
  promotion: ({ promoCode }) => promoCode,
  total: ({ total }) => toDecimal(total),
  received: ({ received }) => toDecimal(received),
  currency: ({ total }) => total.currency,
}
