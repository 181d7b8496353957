import { monthsOf } from "~/domain/billing-cycle"
import { monthsAfter, NO_TIME } from "./clock"
import { clientBy, type Installation, serviceBy } from "./installation"
import { createLine } from "./panel-lines"
import { WhmcsError } from "./params"
import { type Invoice, type InvoiceItem, nextId, type Service, type Transaction } from "./state"
import { completeUpgrade } from "./upgrade-operations"

type NewInvoice = Pick<Invoice, "clientId" | "gateway"> & {
  readonly items: readonly Omit<InvoiceItem, "id">[]
} & Partial<Pick<Invoice, "date" | "due" | "status" | "notes">>

export function addInvoice(world: Installation, { clientId, gateway, items, ...rest }: NewInvoice): Invoice {
  const today = world.clock.day()
  const invoice: Invoice = {
    ...{ id: nextId(world.state.invoices), clientId, date: today, due: today, paid: NO_TIME },
    ...{ status: "Unpaid", gateway, notes: "", credit: 0, items: [], ...rest },
  }
  world.state.invoices.push(invoice)
  for (const item of items) addItem(world, invoice, item)
  return invoice
}

export function addItem(world: Installation, invoice: Invoice, item: Omit<InvoiceItem, "id">): void {
  const taken = world.state.invoices.flatMap(({ items }) => items.map(({ id }) => id))
  invoice.items.push({ id: Math.max(0, ...taken) + 1, ...item })
}

export function subtotalOf({ items }: Invoice): number {
  return items.reduce((sum, { amount }) => sum + amount, 0)
}

/** What is left to pay: the total, less credit and what came in. */
export function balanceOf({ state }: Installation, invoice: Invoice): number {
  const moved = state.transactions.filter(({ invoiceId }) => invoiceId === invoice.id)
  const received = moved.reduce((sum, { amountIn, amountOut }) => sum + amountIn - amountOut, 0)
  return subtotalOf(invoice) - invoice.credit - received
}

export function addTransactionRow(world: Installation, row: Omit<Transaction, "id">): Transaction {
  const transaction = { id: nextId(world.state.transactions), ...row }
  world.state.transactions.push(transaction)
  return transaction
}

/** Money has come for an invoice: once it covers it the invoice is paid, and what is above becomes credit. */
export function receive(world: Installation, invoice: Invoice, date: string): void {
  const balance = balanceOf(world, invoice)
  const mayBePaid = invoice.status === "Unpaid" || invoice.status === "Payment Pending"
  if (balance > 0 && !mayBePaid) return
  const client = world.state.clients.find(({ id }) => id === invoice.clientId)
  if (balance < 0 && client) client.credit -= balance
  if (balance <= 0 && mayBePaid) settle(world, invoice, date)
}

/** Pays an invoice from its client's credit, as far as that goes. */
export function spendCredit(world: Installation, invoice: Invoice): void {
  const client = clientBy(world, String(invoice.clientId))
  const used = Math.min(client.credit, balanceOf(world, invoice))
  client.credit -= used
  invoice.credit += used
  if (used > 0) receive(world, invoice, NO_TIME)
}

/** What being paid does: services go on to their next due day, new ones are set up, upgrades take effect. */
export function settle(world: Installation, invoice: Invoice, date: string): void {
  invoice.status = "Paid"
  invoice.paid = date === NO_TIME ? world.clock.stamp() : date
  for (const { type, relid } of invoice.items) {
    if (type === "Hosting") servicePaid(world, serviceBy(world, String(relid)))
    if (type === "Upgrade") completeUpgrade(world, relid)
  }
  activatedOrders(world)
}

function servicePaid(world: Installation, service: Service): void {
  if (service.cycle !== "onetime" && service.cycle !== "free") {
    service.nextDue = monthsAfter(service.nextDue, monthsOf(service.cycle))
  }
  if (service.status === "Pending" && world.autosetup === "payment") tryCreate(world, service)
}

/** What the panel refuses lies in the module queue: the payment stands. */
function tryCreate(world: Installation, service: Service): void {
  try {
    createLine(world, service)
  } catch (error) {
    if (!(error instanceof WhmcsError)) throw error
  }
}

/** A pending order whose services all work is one nobody has to accept any more. */
function activatedOrders({ state }: Installation): void {
  for (const order of state.orders) {
    const works = order.serviceIds.map((id) => state.services.find((it) => it.id === id)?.status === "Active")
    const isUpgrade = order.serviceIds.length === 0
    if (order.status === "Pending" && !isUpgrade && works.every(Boolean)) order.status = "Active"
  }
}
