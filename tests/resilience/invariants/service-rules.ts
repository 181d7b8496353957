import type { StoredRows } from "./stored-rows"
import {
  byName,
  grouped,
  type Invoice,
  type Order,
  paidStatuses,
  type SystemState,
  sum,
} from "./system-state"

/** Every active service is paid for, and every paid order has its service or a job with a visible reason. */
export function serviceViolations(state: SystemState): string[] {
  return [...paid(state), ...setUp(state), ...connections(state), ...jobs(state)]
}

function paid({ database }: SystemState): string[] {
  const invoices = byName(database.invoices, ({ order_id }) => order_id)
  const entries = new Set(database.credit_entries.map(({ reference }) => reference))
  return database.orders
    .filter(({ status }) => paidStatuses.includes(status))
    .flatMap(({ id, kind, status }) => {
      const invoice = invoices.get(id)
      return [
        ...(invoice && isPaid(database, invoice) ? [] : [`${id} is ${status} without payment`]),
        ...(invoice?.status === "paid" ? [] : [`${id} is ${status}, its invoice is ${invoice?.status}`]),
        ...(kind === "line" && !entries.has(`line ${id}`) ? [`line ${id} cost no credit`] : []),
      ]
    })
}

/** Whether an invoice is covered, was covered before a partial refund, or was marked paid by the operator. */
function isPaid({ payments, order_events }: StoredRows, invoice: Invoice): boolean {
  const { id, order_id, total, received, credited } = invoice
  const result = order_events.filter((it) => it.order_id === order_id && it.kind === "paid")
  const refunded = payments.some(({ invoice_id, amount }) => invoice_id === id && amount < 0)
  return received - credited >= total || refunded || result.some(({ amount }) => amount === null)
}

function setUp({ database }: SystemState): string[] {
  const orders = byName(database.orders, ({ id }) => id)
  const services = byName(database.services, ({ id }) => id)
  const madeBy = grouped(database.services, ({ order_id }) => order_id)
  return [
    ...database.services.flatMap(({ id, order_id, status, host }) => [
      ...(status === "Active" && orders.get(order_id)?.status !== "active"
        ? [`service ${id} works without payment: its order is ${orders.get(order_id)?.status}`]
        : []),
      ...(status === "Active" && host === null ? [`service ${id} is active without a host`] : []),
    ]),
    ...database.orders.flatMap(({ id, kind, service_id }) => [
      ...(services.has(service_id) ? [] : [`order ${id} is for no service`]),
      ...(madeBy(id).length === (isForExisting(kind) ? 0 : 1)
        ? []
        : [`order ${id} has ${madeBy(id).length} services`]),
    ]),
  ]
}

function connections({ database }: SystemState): string[] {
  const linesOf = grouped(database.order_lines, ({ order_id }) => order_id)
  const ordersFor = grouped(database.orders, ({ service_id }) => service_id)
  return database.services.flatMap(({ id, order_id, connections }) => {
    const upsells = ordersFor(id).filter((it) => it.kind === "upsell" && paidStatuses.includes(it.status))
    const more = upsells.flatMap((it) => linesOf(it.id).map(({ quantity }) => quantity ?? 0))
    const base = 1 + linesOf(order_id).filter(({ kind }) => kind === "extraConnection").length
    const right = base + sum(more)
    return connections === right ? [] : [`service ${id} has ${connections} connections, ${right} are paid`]
  })
}

/** Every enqueued job is completed, or is pending with a reason. */
function jobs({ database }: SystemState): string[] {
  const jobOf = byName(database.outbox, ({ topic, subject }) => `${topic} ${subject}`)
  const services = byName(database.services, ({ id }) => id)
  const expectedJobs = (order: Order) =>
    jobOf.get(order.kind === "upsell" ? `connections ${order.id}` : `provision ${order.service_id}`)
  return [
    ...database.outbox.flatMap(({ topic, subject, state, reason }) =>
      state !== "done" && reason === null ? [`the job ${topic} ${subject} is ${state} without a reason`] : [],
    ),
    ...database.orders.flatMap((order) => {
      const isOpen = isWaitingFor(order, services.get(order.service_id)?.status)
      const state = expectedJobs(order)?.state ?? "missing"
      return isOpen && ["done", "missing"].includes(state)
        ? [`payment without a service: order ${order.id} waits for work that is ${state}`]
        : []
    }),
  ]
}

function isWaitingFor({ kind, status }: Order, service: string | undefined): boolean {
  return status === "paid" || (status === "active" && !isForExisting(kind) && service === "Pending")
}

/** Whether orders of a kind are for a service that another order has made. */
function isForExisting(kind: Order["kind"]): boolean {
  return kind === "upsell" || kind === "reseller-credits"
}
