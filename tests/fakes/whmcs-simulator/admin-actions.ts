import { DAY, dayIn } from "~/domain/calendar"
import { invoiceRenewal, makeOverdue, suspendOverdue } from "./automation"
import { NO_TIME } from "./clock"
import { type Action, type Installation, serviceBy } from "./installation"
import { addTransactionRow, balanceOf, settle } from "./invoice-operations"
import { moduleSuspend, moduleTerminate } from "./modules"
import { acceptOrder, cancelOrder, fraudOrder } from "./order-status"
import { createLine } from "./panel-lines"
import type { Fields } from "./php-form"
import type { InvoiceStatus } from "./state"

const LATE = 3 * DAY

function setInvoice({ state }: Installation, invoiceId: number | string, status: InvoiceStatus): void {
  const invoice = state.invoices.find(({ id }) => String(id) === String(invoiceId))
  if (!invoice) throw new Error(`There is no invoice ${invoiceId}`)
  invoice.status = status
}

/** With its services and its invoice, as WHMCS does. */
function deleteOrder({ state }: Installation, orderId: number | string): void {
  const order = state.orders.find(({ id }) => String(id) === String(orderId))
  if (!order) throw new Error(`There is no order ${orderId}`)
  remove(state.services, ({ id }) => order.serviceIds.includes(id))
  remove(state.invoices, ({ id }) => id === order.invoiceId)
  remove(state.orders, ({ id }) => id === order.id)
}

function remove<T>(rows: T[], isRemoved: (row: T) => boolean): void {
  rows.splice(0, rows.length, ...rows.filter((row) => !isRemoved(row)))
}

/**
 * Operations of staff in the admin area, which bypass the API. Each takes an id and throws the message that staff would
 * see.
 */
export function staffOf(installation: Installation) {
  const by = (action: Action, name: string) => (id: number | string) => {
    action(installation, new Map([[name, String(id)]]) satisfies Fields)
  }
  return {
    /** Marks an invoice paid: what was left comes in without a transaction id. */
    markPaid(invoiceId: number | string) {
      const invoice = installation.state.invoices.find(({ id }) => String(id) === String(invoiceId))
      if (!invoice) throw new Error(`There is no invoice ${invoiceId}`)
      addTransactionRow(installation, {
        clientId: invoice.clientId,
        invoiceId: invoice.id,
        transid: "",
        gateway: invoice.gateway,
        date: installation.clock.stamp(),
        amountIn: balanceOf(installation, invoice),
        amountOut: 0,
        fees: 0,
        description: "Invoice Payment",
      })
      settle(installation, invoice, NO_TIME)
    },
    accept: by(acceptOrder, "orderid"),
    cancel: by(cancelOrder, "orderid"),
    fraud: by(fraudOrder, "orderid"),
    deleteOrder: (orderId: number | string) => deleteOrder(installation, orderId),
    create: (serviceId: number | string) =>
      createLine(installation, serviceBy(installation, String(serviceId))),
    terminate: by(moduleTerminate, "serviceid"),
    suspend: by(moduleSuspend, "serviceid"),
    /** The cron's renewal invoice of one service. */
    invoice: (serviceId: number | string) =>
      invoiceRenewal(installation, [serviceBy(installation, String(serviceId))]),
    /** One renewal invoice for all active services of a client. */
    invoiceAll: (clientId: number | string) =>
      invoiceRenewal(
        installation,
        installation.state.services.filter(
          (it) => String(it.clientId) === String(clientId) && it.status === "Active",
        ),
      ),
    /** The cron suspends a service whose renewal has been due for some days. */
    lapse(serviceId: number | string) {
      const service = serviceBy(installation, String(serviceId))
      makeOverdue(installation, service, dayIn("UTC", installation.clock.now() - LATE))
      suspendOverdue(installation, service)
    },
    cancelInvoice: (invoiceId: number | string) => setInvoice(installation, invoiceId, "Cancelled"),
    refundInvoice: (invoiceId: number | string) => setInvoice(installation, invoiceId, "Refunded"),
  }
}
