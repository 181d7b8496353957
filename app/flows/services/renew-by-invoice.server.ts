import { BillingError } from "~/billing/billing"
import type { InvoiceRenewals } from "~/billing/invoice-renewals"
import type { LoggedServices } from "~/context/services.server"
import { scopeFor } from "~/domain/customer"
import { NOT_RENEWABLE } from "~/domain/forms/renewal-fields"
import type { Service } from "~/domain/service"
import { accountCreditScope, isPaidByCredit } from "~/flows/checkout/available-credit.server"
import { newInvoiceRenewal } from "~/flows/checkout/new-order.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { rejected, type ServiceOrderRequest, type ServicePlacement } from "./service-order.server"

export type InvoiceRequest = ServiceOrderRequest & {
  /** Ownership has been checked. */
  readonly service: Service
  readonly invoiceId: string
  /** Amount that the form showed, in minor units; null if the form has none. */
  readonly shown: number | null
  /** Id of the session's current order. */
  readonly orderId: string | null
}

/**
 * Orders the payment of an invoice by which external billing renews a service. The invoice is read again first, since it may
 * have been paid or changed there. Idempotent by `key`; an unpaid order for the same invoice is continued.
 */
export async function renewByInvoice(
  services: LoggedServices & { readonly invoiceRenewals: InvoiceRenewals },
  request: InvoiceRequest,
): Promise<ServicePlacement<"form" | "gateway">> {
  const { service, customer, gateway, invoiceId } = request
  const { customerId } = service
  const unpaid = await services.invoiceRenewals.renewalInvoices(customerId, "current")
  const invoice = unpaid.find((it) => it.invoiceId === invoiceId)
  if (!invoice?.items.some(({ serviceId }) => serviceId === service.id))
    return rejected("form", NOT_RENEWABLE)
  if (invoice.balance.minor > (request.shown ?? invoice.balance.minor))
    return rejected("form", "review.price-changed")
  const covered = () => isPaidByCredit(services, request, { customerId, total: invoice.balance })
  const refused = await refusedGateway(services, gateway, covered)
  if (refused) return refused
  const { key, locale, address, browser, saleTerms } = request
  const renewal = newInvoiceRenewal(services, {
    key,
    invoice,
    gateway,
    locale,
    customerId,
    accessScope: scopeFor(customerId, customer),
    accountCreditScope: accountCreditScope(request, customerId),
    browser,
    address,
    saleTerms,
  })
  try {
    return { kind: "placed", order: await services.invoiceRenewals.placeInvoiceRenewal(renewal) }
  } catch (error) {
    // The key belongs to another customer's order.
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    return rejected("form", NOT_RENEWABLE)
  }
}
