import { NO_TIME } from "./clock"
import { type Action, type Installation, serviceBy } from "./installation"
import { addTransactionRow, balanceOf, settle } from "./invoice-operations"
import { moduleSuspend, moduleTerminate } from "./modules"
import { acceptOrder, cancelOrder, fraudOrder } from "./order-status"
import { createLine } from "./panel-lines"
import type { Fields } from "./php-form"

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
    create: (serviceId: number | string) =>
      createLine(installation, serviceBy(installation, String(serviceId))),
    terminate: by(moduleTerminate, "serviceid"),
    suspend: by(moduleSuspend, "serviceid"),
  }
}
