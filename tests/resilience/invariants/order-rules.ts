import { grouped, type SystemState, sum, unpaidFinalStatuses } from "./system-state"

/** Each purchase has one order, with one invoice that equals the sum of its lines. */
export function orderViolations(state: SystemState): string[] {
  return [...twice(state), ...bills(state), ...externalOrders(state)]
}

function twice({ database, meant }: SystemState): string[] {
  const keys = Map.groupBy(database.orders, ({ one_time_key }) => one_time_key)
  const emailOf = new Map(database.clients.map(({ id, email }) => [id, email]))
  const live = database.orders.filter(({ status }) => !unpaidFinalStatuses.includes(status))
  const byCustomer = Map.groupBy(live, ({ client_id }) => emailOf.get(client_id) ?? client_id)
  return [
    ...[...keys].flatMap(([key, { length }]) => (length > 1 ? [`${length} orders have the key ${key}`] : [])),
    ...[...byCustomer].flatMap(([email, { length }]) => {
      const max = meant.get(email) ?? length
      return length > max ? [`${email} meant ${max} purchases and has ${length} orders`] : []
    }),
  ]
}

function bills({ database }: SystemState): string[] {
  const invoicesOf = grouped(database.invoices, ({ order_id }) => order_id)
  const linesOf = grouped(database.order_lines, ({ order_id }) => order_id)
  return database.orders.flatMap(({ id }) => {
    const [invoice, ...more] = invoicesOf(id)
    if (!invoice || more.length > 0) return [`order ${id} has ${invoice ? more.length + 1 : 0} invoices`]
    const lines = sum(linesOf(id).map(({ amount }) => amount))
    return lines === invoice.total
      ? []
      : [`order ${id}: its lines come to ${lines}, its invoice to ${invoice.total}`]
  })
}

/** With external billing, each order has one external order, and active services are known there. */
function externalOrders({ database }: SystemState): string[] {
  const made = database.external_orders.filter(({ their_order_id }) => their_order_id !== null)
  const byExternalId = Map.groupBy(made, ({ their_order_id }) => their_order_id)
  const statusOf = new Map(database.orders.map(({ id, status }) => [id, status]))
  return [
    ...[...byExternalId].flatMap(([id, { length }]) =>
      length > 1 ? [`${length} local orders share external order ${id}`] : [],
    ),
    ...database.external_orders.flatMap(({ order_id, state }) =>
      state === "wanted" && statusOf.get(order_id) === "active"
        ? [`order ${order_id} is active and has no external order`]
        : [],
    ),
  ]
}
