import { totalOf } from "../../fakes/whmcs-simulator/invoice-operations"
import type { Whmcs } from "../../fakes/whmcs-simulator/start"
import type { StoredRows } from "../invariants/stored-rows"
import { paidStatuses, sum } from "../invariants/system-state"

/** Compares WHMCS with the local database: each local order is one WHMCS order, and paid orders are paid once. */
export function externalViolations(whmcs: Whmcs, database: StoredRows): string[] {
  return [...orders(whmcs, database), ...invoices(whmcs)]
}

function orders(whmcs: Whmcs, { orders, external_orders }: StoredRows): string[] {
  const names = new Map(external_orders.map((it) => [it.their_order_id, it.order_id]))
  const statusOf = new Map(orders.map(({ id, status }) => [id, status]))
  return whmcs.orders.flatMap((order) => {
    const localId = statusOf.get(names.get(String(order.id)) ?? "")
    return localId ? unpaid(whmcs, order, localId) : unknown(order)
  })
}

type ExternalRow = Whmcs["orders"][number]

function unknown({ id, status }: ExternalRow): string[] {
  return open.includes(status) ? [`WHMCS order ${id} (${status}) has no local order`] : []
}

function unpaid({ invoices }: Whmcs, { id, invoiceId }: ExternalRow, localId: string): string[] {
  const invoice = invoices.find((it) => it.id === invoiceId)?.status ?? "Paid"
  return paidStatuses.includes(localId) && invoice !== "Paid"
    ? [`order ${id} is ${invoice} in WHMCS and ${localId} locally`]
    : []
}

const open = ["Pending", "Active"]

function invoices({ invoices, transactions }: Whmcs): string[] {
  return invoices.flatMap((invoice) => {
    const moved = transactions.filter(({ invoiceId }) => invoiceId === invoice.id)
    const paid = sum(moved.map(({ amountIn, amountOut }) => amountIn - amountOut))
    const total = totalOf(invoice)
    return paid > total ? [`WHMCS invoice ${invoice.id} of ${total} received ${paid}`] : []
  })
}
