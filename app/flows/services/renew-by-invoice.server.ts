import { isRefusedByBilling } from "~/billing/billing"
import type { InvoiceRenewals, NewInvoiceRenewal } from "~/billing/services/invoice-renewals"
import type { LoggedServices } from "~/context/services.server"
import { scopeFor } from "~/domain/customers/customer"
import { NOT_RENEWABLE } from "~/domain/forms/renewal-fields"
import type { Order } from "~/domain/orders/order"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { Service } from "~/domain/services/service"
import { creditCoversServiceOrder } from "~/flows/checkout/available-credit.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { prepareReplacement } from "./replace-unpaid-order.server"
import {
  fieldsOfRequest,
  orSentBefore,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

export type InvoiceRequest = ServiceOrderRequest & {
  /** Ownership has been checked. */
  readonly service: Service
  readonly invoiceId: string
  /** Amount that the form showed, in minor units; null if the form has none. */
  readonly shown: number | null
}

type Renewing = LoggedServices & { readonly invoiceRenewals: InvoiceRenewals }
type InvoicePlacement = ServicePlacement<"form" | "gateway">

/**
 * Orders the payment of an invoice by which external billing renews a service. The invoice is read again first, since it may
 * have been paid or changed there. Idempotent by `key`; an unpaid order for the same invoice is continued, unless it was placed without
 * account credit which its customer may use by now.
 */
export async function renewByInvoice(services: Renewing, request: InvoiceRequest): Promise<InvoicePlacement> {
  const placement = await placeNew(services, request)
  return orSentBefore(services, placement, { ...request, kind: "renewal" })
}

async function placeNew(services: Renewing, request: InvoiceRequest): Promise<InvoicePlacement> {
  const { service, gateway, invoiceId } = request
  const { customerId } = service
  const unpaid = await services.invoiceRenewals.renewalInvoices(customerId, "current")
  const invoice = unpaid.find((it) => it.invoiceId === invoiceId)
  if (!invoice?.items.some(({ serviceId }) => serviceId === service.id))
    return rejected("form", NOT_RENEWABLE)
  if (invoice.balance.minor > (request.shown ?? invoice.balance.minor))
    return rejected("form", "review.price-changed")
  const covered = () => creditCoversServiceOrder(services, request, { customerId, total: invoice.balance })
  const refused = await refusedGateway(services, gateway, covered)
  if (refused) return refused
  return orderInvoiceRenewal(services, request, invoice)
}

async function orderInvoiceRenewal(
  services: Renewing,
  request: InvoiceRequest,
  invoice: RenewalInvoice,
): Promise<InvoicePlacement> {
  const { customerId } = request.service
  const { open, replaced } = await openRenewal(services, request, invoice)
  if (open) return { kind: "placed", order: open }
  const renewal = newServiceOrder<NewInvoiceRenewal>(services, {
    ...fieldsOfRequest(request, customerId),
    invoice,
  })
  try {
    return {
      kind: "placed",
      order: await services.invoiceRenewals.placeInvoiceRenewal({ ...renewal, replaced }),
    }
  } catch (error) {
    // The key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    return rejected("form", NOT_RENEWABLE)
  }
}

/** The unpaid order for the invoice that is continued; `replaced`: those whose place another one takes. */
async function openRenewal(
  services: Renewing,
  request: InvoiceRequest,
  invoice: RenewalInvoice,
): Promise<{ readonly open: Order | null; readonly replaced: readonly string[] }> {
  const { customer, service } = request
  const { customerId } = service
  const accessScope = scopeFor(customerId, customer)
  const replaced: string[] = []
  for (;;) {
    const asked = { customerId, invoice, accessScope, at: services.now(), replaced }
    const open = await services.invoiceRenewals.openInvoiceRenewal(asked)
    if (!open || !(await prepareReplacement(services, request, open))) return { open, replaced }
    replaced.push(open.id)
  }
}
