import { LATE_PAYMENT_GRACE } from "~/domain/order"
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

/** Money is written down once, stays what it was, and always has somewhere to be. */
export function moneyViolations(world: SystemState): string[] {
  return [...invoices(world), ...balances(world), ...ledger(world), ...reasons(world)]
}

function invoices({ books }: SystemState): string[] {
  const paymentsOf = grouped(books.payments, ({ invoice_id }) => invoice_id)
  const broughtBy = grouped(books.payments, ({ attempt_id }) => attempt_id)
  const movedOf = grouped(books.credit_movements, ({ invoice_id }) => invoice_id)
  const amounts = (rows: readonly { amount: number }[]) => sum(rows.map(({ amount }) => amount))
  return [
    ...books.invoices.flatMap(({ id, order_id, received, credited }) => [
      ...differ(`order ${order_id} says received`, received, amounts(paymentsOf(id))),
      ...differ(`order ${order_id} says credited`, credited, amounts(movedOf(id))),
    ]),
    ...books.payment_attempts.flatMap(({ id, received }) =>
      differ(`attempt ${id} says received`, received, amounts(broughtBy(id))),
    ),
  ]
}

function balances({ books }: SystemState): string[] {
  const movedOf = grouped(books.credit_movements, (it) => `${it.client_id} ${it.currency}`)
  return books.credits.flatMap(({ client_id, currency, balance }) =>
    differ(
      `customer ${client_id} says credit`,
      balance,
      sum(movedOf(`${client_id} ${currency}`).map(({ amount }) => amount)),
    ),
  )
}

/** What has come is kept for orders or is to customers' credit; the three together are zero in every currency. */
function ledger({ books }: SystemState): string[] {
  const sides = [
    ...books.payments.map(({ currency, amount }) => ({ currency, amount })),
    ...books.invoices.map(({ currency, received, credited }) => ({ currency, amount: credited - received })),
    ...books.credits.map(({ currency, balance }) => ({ currency, amount: -balance })),
  ]
  return [...Map.groupBy(sides, ({ currency }) => currency)].flatMap(([currency, rows]) => {
    const left = sum(rows.map(({ amount }) => amount))
    return left === 0 ? [] : [`the ledger in ${currency} sums to ${left}`]
  })
}

/** Whoever paid has what he paid for, or reads why not: partly paid, or to his credit. */
function reasons({ books, now }: SystemState): string[] {
  const orders = byName(books.orders, ({ id }) => id)
  return books.invoices.flatMap((invoice) => {
    const order = orders.get(invoice.order_id)
    return order ? reason(order, invoice, now) : []
  })
}

function reason(order: Order, invoice: Invoice, now: number): string[] {
  const kept = invoice.received - invoice.credited
  const told = `order ${order.id} (${order.status})`
  if (kept > invoice.total) return [`${told} keeps ${kept} of a total of ${invoice.total}`]
  if (paidStatuses.includes(order.status)) return []
  if (unpaidFinalStatuses.includes(order.status))
    return leftBehind(order, invoice, now).map((it) => `${told} ${it}`)
  const isTold = invoice.received <= 0 || order.status === "partially-paid"
  return isTold ? [] : [`${told} has received ${invoice.received} without a word`]
}

/** Money for an order that has come to nothing waits for the rest during the grace for late money, and no longer. */
function leftBehind({ status, deadline }: Order, { received, credited }: Invoice, now: number): string[] {
  if (credited < 0) return [`still holds ${-credited} of the customer's credit`]
  const isOver = status === "fraud" || deadline + LATE_PAYMENT_GRACE < now
  return isOver && received > credited ? [`keeps ${received - credited} that nobody has`] : []
}

function differ(what: string, said: number, reckoned: number): string[] {
  return said === reckoned ? [] : [`${what} ${said}, its movements come to ${reckoned}`]
}
