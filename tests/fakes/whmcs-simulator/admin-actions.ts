import { NO_TIME } from "./clock"
import { type Action, type Installation, serviceBy } from "./installation"
import { addTransactionRow, balanceOf, settle } from "./invoice-operations"
import { moduleSuspend, moduleTerminate } from "./modules"
import { acceptOrder, cancelOrder, fraudOrder } from "./order-status"
import { createLine } from "./panel-lines"
import type { Fields } from "./php-form"

/** What people in the admin area do, behind the API's back. Each takes a number and throws what they would be told. */
export function staffOf(world: Installation) {
  const by = (action: Action, name: string) => (id: number | string) => {
    action(world, new Map([[name, String(id)]]) satisfies Fields)
  }
  return {
    /** Marks an invoice paid: what was left comes in without a transaction id. */
    markPaid(invoiceId: number | string) {
      const invoice = world.state.invoices.find(({ id }) => String(id) === String(invoiceId))
      if (!invoice) throw new Error(`There is no invoice ${invoiceId}`)
      addTransactionRow(world, {
        ...{ clientId: invoice.clientId, invoiceId: invoice.id, transid: "", gateway: invoice.gateway },
        ...{ date: world.clock.stamp(), amountIn: balanceOf(world, invoice), amountOut: 0, fees: 0 },
        description: "Invoice Payment",
      })
      settle(world, invoice, NO_TIME)
    },
    accept: by(acceptOrder, "orderid"),
    cancel: by(cancelOrder, "orderid"),
    fraud: by(fraudOrder, "orderid"),
    create: (serviceId: number | string) => createLine(world, serviceBy(world, String(serviceId))),
    terminate: by(moduleTerminate, "serviceid"),
    suspend: by(moduleSuspend, "serviceid"),
  }
}
