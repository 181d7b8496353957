import { monthsOf } from "~/domain/catalogue/billing-cycle"
import { monthsAfter } from "./clock"
import { type Installation, itemOf } from "./installation"
import { addInvoice } from "./invoice-operations"
import { lineOf } from "./panel-lines"
import type { Invoice, InvoiceItem, Service } from "./state"

/** Reason that WHMCS's cron gives for a suspension. */
const OVERDUE = "Overdue on Payment"

/** The cron's renewal invoice of services of one client, due when the first of them is. */
export function invoiceRenewal(installation: Installation, services: readonly Service[]): Invoice {
  const [first] = services
  if (!first) throw new Error("No service to renew")
  return addInvoice(installation, {
    clientId: first.clientId,
    gateway: first.gateway,
    due: first.nextDue,
    items: services.map((service) => itemFor(installation, service)),
  })
}

function itemFor(installation: Installation, service: Service): Omit<InvoiceItem, "id"> {
  const { name } = itemOf(installation, service.pid)
  return { type: "Hosting", relid: service.id, description: name, amount: service.recurring, taxed: true }
}

/** Time passes: the service and its unpaid invoices have been due for some days, without a suspension. */
export function makeOverdue({ state }: Installation, service: Service, day: string): void {
  service.nextDue = day
  for (const invoice of state.invoices) {
    const isForIt = invoice.items.some(({ type, relid }) => type === "Hosting" && relid === service.id)
    if (isForIt && invoice.status === "Unpaid") invoice.due = day
  }
}

/** The cron suspends a service whose invoice is overdue. */
export function suspendOverdue(installation: Installation, service: Service): void {
  const line = lineOf(installation, service)
  if (line) line.suspended = true
  service.status = "Suspended"
  service.suspensionReason = OVERDUE
}

/** What a paid invoice does to a service: its due date moves by a cycle, and a suspension for non-payment ends. */
export function renewPaid(installation: Installation, service: Service): void {
  if (service.cycle !== "onetime" && service.cycle !== "free")
    service.nextDue = monthsAfter(service.nextDue, monthsOf(service.cycle))
  const lifts = installation.quirks.unsuspends && service.suspensionReason === OVERDUE
  if (service.status !== "Suspended" || !lifts) return
  const line = lineOf(installation, service)
  if (line) line.suspended = false
  service.status = "Active"
  service.suspensionReason = ""
}
