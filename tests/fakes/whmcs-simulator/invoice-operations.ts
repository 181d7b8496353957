import { renewPaid } from "./automation"
import { NO_TIME } from "./clock"
import { clientBy, type Installation, serviceBy } from "./installation"
import { sendMail } from "./mails"
import { createLine } from "./panel-lines"
import { WhmcsError } from "./params"
import { type Invoice, type InvoiceItem, nextId, type Service, type Transaction } from "./state"
import { completeUpgrade } from "./upgrade-operations"

type NewInvoice = Pick<Invoice, "clientId" | "gateway"> & {
  readonly items: readonly Omit<InvoiceItem, "id">[]
} & Partial<Pick<Invoice, "date" | "due" | "status" | "notes">>

export function addInvoice(
  installation: Installation,
  { clientId, gateway, items, ...rest }: NewInvoice,
): Invoice {
  const today = installation.clock.day()
  const invoice: Invoice = {
    id: nextId(installation.state.invoices),
    clientId,
    date: today,
    due: today,
    paid: NO_TIME,
    status: "Unpaid",
    gateway,
    notes: "",
    credit: 0,
    tax: installation.quirks.tax,
    items: [],
    ...rest,
  }
  installation.state.invoices.push(invoice)
  for (const item of items) addItem(installation, invoice, item)
  return invoice
}

export function addItem(installation: Installation, invoice: Invoice, item: Omit<InvoiceItem, "id">): void {
  const taken = installation.state.invoices.flatMap(({ items }) => items.map(({ id }) => id))
  invoice.items.push({ id: Math.max(0, ...taken) + 1, ...item })
}

/** Tax of both levels on the taxed items, and what the invoice comes to without and with it, before credit. */
export function sumsOf({ items, tax }: Invoice): {
  subtotal: number
  taxes: [number, number]
  total: number
} {
  const all = items.reduce((sum, { amount }) => sum + amount, 0)
  const taxed = items.reduce((sum, item) => sum + (item.taxed ? item.amount : 0), 0)
  const [one, two] = tax.rates
  const base = tax.type === "Inclusive" ? taxed / (1 + (one + two) / 100) : taxed
  const taxes: [number, number] = [Math.round((base * one) / 100), Math.round((base * two) / 100)]
  const sum = taxes[0] + taxes[1]
  return tax.type === "Inclusive"
    ? { subtotal: all - sum, taxes, total: all }
    : { subtotal: all, taxes, total: all + sum }
}

export function totalOf(invoice: Invoice): number {
  return sumsOf(invoice).total
}

/** Amount due: the total less credit and payments. */
export function balanceOf({ state }: Installation, invoice: Invoice): number {
  const moved = state.transactions.filter(({ invoiceId }) => invoiceId === invoice.id)
  const received = moved.reduce((sum, { amountIn, amountOut }) => sum + amountIn - amountOut, 0)
  return totalOf(invoice) - invoice.credit - received
}

export function addTransactionRow(installation: Installation, row: Omit<Transaction, "id">): Transaction {
  const transaction = { id: nextId(installation.state.transactions), ...row }
  installation.state.transactions.push(transaction)
  return transaction
}

/** Records a payment for an invoice: a covered invoice is paid, and a surplus becomes credit. */
export function receive(installation: Installation, invoice: Invoice, date: string): void {
  const balance = balanceOf(installation, invoice)
  const mayBePaid = invoice.status === "Unpaid" || invoice.status === "Payment Pending"
  if (balance > 0 && !mayBePaid) return
  const client = installation.state.clients.find(({ id }) => id === invoice.clientId)
  if (balance < 0 && client) client.credit -= balance
  if (balance <= 0 && mayBePaid) settle(installation, invoice, date)
}

/** Pays an invoice from its client's credit, up to the amount due. */
export function spendAccountCredit(installation: Installation, invoice: Invoice): void {
  const client = clientBy(installation, String(invoice.clientId))
  const used = Math.min(client.credit, balanceOf(installation, invoice))
  client.credit -= used
  invoice.credit += used
  if (used > 0) receive(installation, invoice, NO_TIME)
}

/**
 * Effects of a paid invoice: services advance to their next due date, new ones are provisioned, upgrades are applied.
 */
export function settle(installation: Installation, invoice: Invoice, date: string): void {
  invoice.status = "Paid"
  invoice.paid = date === NO_TIME ? installation.clock.stamp() : date
  for (const { type, relid } of invoice.items) {
    if (type === "Hosting") servicePaid(installation, serviceBy(installation, String(relid)))
    if (type === "Upgrade") completeUpgrade(installation, relid)
  }
  activatedOrders(installation)
}

function servicePaid(installation: Installation, service: Service): void {
  renewPaid(installation, service)
  if (service.status === "Pending" && installation.autosetup === "payment") tryCreate(installation, service)
}

/** A line that the panel rejects goes to the module queue; the payment is kept. */
function tryCreate(installation: Installation, service: Service): void {
  try {
    createLine(installation, service)
    // `noemail` of the payment does not hold for it: the product's own setting does.
    if (installation.welcomeEmail) sendMail(installation, service.clientId, "New Product Information")
  } catch (error) {
    if (!(error instanceof WhmcsError)) throw error
  }
}

/** A pending order becomes active when all its services are active. */
function activatedOrders({ state }: Installation): void {
  for (const order of state.orders) {
    const works = order.serviceIds.map((id) => state.services.find((it) => it.id === id)?.status === "Active")
    const isUpgrade = order.serviceIds.length === 0
    if (order.status === "Pending" && !isUpgrade && works.every(Boolean)) order.status = "Active"
  }
}
