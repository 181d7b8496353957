import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import {
  byName,
  grouped,
  type Invoice,
  type Order,
  paidStatuses,
  type SystemState,
  sum,
  unpaidFinalStatuses,
} from "./system-state"

/** Money is recorded once, unchanged, and always assigned to an order or a customer. */
export function moneyViolations(state: SystemState): string[] {
  return [...invoices(state), ...balances(state), ...ledger(state), ...reasons(state)]
}

function invoices({ database }: SystemState): string[] {
  const paymentsOf = grouped(database.payments, ({ invoice_id }) => invoice_id)
  const broughtBy = grouped(database.payments, ({ attempt_id }) => attempt_id)
  const movedOf = grouped(database.credit_movements, ({ invoice_id }) => invoice_id ?? "")
  const amounts = (rows: readonly { amount: number }[]) => sum(rows.map(({ amount }) => amount))
  return [
    ...database.invoices.flatMap(({ id, order_id, received, credited }) => [
      ...differ(`order ${order_id} says received`, received, amounts(paymentsOf(id))),
      ...differ(`order ${order_id} says credited`, credited, amounts(movedOf(id))),
    ]),
    ...database.payment_attempts.flatMap(({ id, received }) =>
      differ(`attempt ${id} says received`, received, amounts(broughtBy(id))),
    ),
  ]
}

function balances({ database }: SystemState): string[] {
  const movedOf = grouped(database.credit_movements, (it) => `${it.client_id} ${it.currency}`)
  return database.credits.flatMap(({ client_id, currency, balance }) =>
    differ(
      `customer ${client_id} says credit`,
      balance,
      sum(movedOf(`${client_id} ${currency}`).map(({ amount }) => amount)),
    ),
  )
}

/** Money received, money held for orders, account credit and grants of it sum to zero in every currency. */
function ledger({ database }: SystemState): string[] {
  const entries = [
    ...database.payments.map(({ currency, amount }) => ({ currency, amount })),
    ...database.invoices.map(({ currency, received, credited }) => ({
      currency,
      amount: credited - received,
    })),
    ...database.credits.map(({ currency, balance }) => ({ currency, amount: -balance })),
    // What an operator has granted comes from no invoice.
    ...database.credit_movements.filter(({ invoice_id }) => invoice_id === null),
  ]
  return [...Map.groupBy(entries, ({ currency }) => currency)].flatMap(([currency, rows]) => {
    const left = sum(rows.map(({ amount }) => amount))
    return left === 0 ? [] : [`the ledger in ${currency} sums to ${left}`]
  })
}

/** A payment leads to the ordered service, or the timeline shows why not: partly paid, or credited. */
function reasons({ database, now }: SystemState): string[] {
  const orders = byName(database.orders, ({ id }) => id)
  return database.invoices.flatMap((invoice) => {
    const order = orders.get(invoice.order_id)
    return order ? reason(order, invoice, now) : []
  })
}

function reason(order: Order, invoice: Invoice, now: number): string[] {
  const net = invoice.received - invoice.credited
  const message = `order ${order.id} (${order.status})`
  if (net > invoice.total) return [`${message} keeps ${net} of a total of ${invoice.total}`]
  if (paidStatuses.includes(order.status)) return []
  if (unpaidFinalStatuses.includes(order.status))
    return isAbandoned(order, invoice, now).map((it) => `${message} ${it}`)
  const isReported = invoice.received <= 0 || order.status === "partially-paid"
  return isReported ? [] : [`${message} has received ${invoice.received} without a timeline event`]
}

/** Money for a cancelled or expired order is held during the grace period for late payments, and no longer. */
function isAbandoned({ status, deadline }: Order, { received, credited }: Invoice, now: number): string[] {
  if (credited < 0) return [`still holds ${-credited} of the customer's credit`]
  const isExpired = status === "fraud" || deadline + LATE_PAYMENT_GRACE < now
  return isExpired && received > credited
    ? [`keeps ${received - credited} that is neither refunded nor credited`]
    : []
}

function differ(what: string, value: number, reckoned: number): string[] {
  return value === reckoned ? [] : [`${what} ${value}, its movements come to ${reckoned}`]
}
