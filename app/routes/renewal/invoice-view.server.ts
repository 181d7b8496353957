import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { RenewalDraft } from "~/domain/forms/renewal-form"
import type { Order } from "~/domain/orders/order"
import type { UsableCredit } from "~/domain/payments/usable-credit"
import type { RenewedItem } from "~/domain/services/renewal"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { Service } from "~/domain/services/service"
import { availableGateways, presetGateway } from "~/flows/payments/available-gateways.server"
import type { UnpaidOrder } from "~/flows/services/show-access.server"
import type { LawShown } from "~/ui/checkout/order-summary"
import { AMOUNT, type RenewalView } from "~/ui/renewal/renewal-panel"
import type { Writing } from "../page-writing.server"
import { foldOf, openRenewal } from "./renewal-view.server"

type Shown = {
  readonly service: Service
  readonly writing: Writing
  readonly query: URLSearchParams
  /** The visitor's unpaid order for the service. */
  readonly unpaid: UnpaidOrder | null
  readonly law: LawShown
  readonly credit: UsableCredit | undefined
}

/** What the service page says about renewals by invoices of external billing. */
type InvoicePart = {
  /** Null: there is no unpaid invoice for the service. */
  readonly renewal: RenewalView | null
  /** The earliest unpaid invoice of each of the customer's services, by service id. */
  readonly renewable: Readonly<Record<string, string>>
}

/** Loads the renewal part of the service page of a shop on external billing; empty for other shops. */
export async function invoicePart(context: RouteContext, shown: Shown): Promise<InvoicePart> {
  const services = context.get(servicesContext)
  const { invoiceRenewals } = services
  if (!invoiceRenewals) return { renewal: null, renewable: {} }
  const { service, writing } = shown
  const unpaid = await invoiceRenewals.renewalInvoices(service.customerId, "shown")
  const own = unpaid.filter(({ items }) => items.some(({ serviceId }) => serviceId === service.id))
  return {
    renewal: own.length === 0 ? null : await viewOf(services, own, shown),
    renewable: linksOf(unpaid, writing),
  }
}

/** The earliest unpaid invoice of each of a customer's services, by service id; empty for other shops. */
export async function invoiceLinks(
  { invoiceRenewals }: Pick<LoggedServices, "invoiceRenewals">,
  customerId: string,
  writing: Writing,
): Promise<InvoicePart["renewable"]> {
  return invoiceRenewals ? linksOf(await invoiceRenewals.renewalInvoices(customerId, "shown"), writing) : {}
}

/** The earliest invoice comes first, and of two entries of a service the last one stays. */
function linksOf(unpaid: readonly RenewalInvoice[], writing: Writing): InvoicePart["renewable"] {
  return Object.fromEntries(
    unpaid
      .toReversed()
      .flatMap((invoice) => invoice.items.map(({ serviceId }) => [serviceId, invoiceText(invoice, writing)])),
  )
}

function invoiceText({ due }: RenewalInvoice, { t, day }: Writing): string {
  return due === null ? t("invoice.undated") : t("invoice.pay", { date: day(due) })
}

async function viewOf(
  services: LoggedServices,
  invoices: readonly RenewalInvoice[],
  { service, writing, query, unpaid, law, credit }: Shown,
): Promise<RenewalView> {
  const { t } = writing
  const gateways = await availableGateways(services, writing.locale)
  const draft = RenewalDraft.parse({ invoice: query.get("invoice") ?? undefined })
  const [first] = invoices
  return {
    serviceId: service.id,
    law,
    credit,
    heading: t("renewal.heading"),
    summary: first ? invoiceText(first, writing) : t("renewal.heading"),
    ...foldOf({ isDue: true, open: openRenewal(unpaid), query }),
    notes: [t(service.status === "Suspended" ? "invoice.paused" : "invoice.open")],
    pay: t("renewal.pay", { amount: AMOUNT }),
    choices: invoices.map((invoice) => ({
      value: invoice.invoiceId,
      total: invoice.balance,
      text: invoiceText(invoice, writing),
    })),
    field: "invoice",
    value: invoices.find((it) => it.invoiceId === draft.invoice)?.invoiceId ?? first?.invoiceId ?? "",
    also: [],
    alsoText: "",
    gone: t("invoice.gone"),
    lower: null,
    gateways,
    gateway: presetGateway(services, gateways),
    key: services.newId(),
    balance: null,
    topUp: null,
    decline: null,
  }
}

type Paid = {
  readonly order: Order
  readonly service: Service
  readonly items: readonly RenewedItem[]
  readonly hasSupport: boolean
}

/** What a paid invoice has led to in external billing. Null: it is not known yet. */
export async function invoicePaidHeadline(
  { billing }: Pick<LoggedServices, "billing">,
  { order, service, items, hasSupport }: Paid,
  { t, day, money }: Writing,
): Promise<{ readonly heading: string; readonly notes: readonly string[] } | null> {
  if (order.status !== "active") return null
  const credited = (await billing.timeline(order.id)).find(({ kind }) => kind === "credit-added")?.amount
  if (credited)
    return {
      heading: t("topUp.done", { amount: money(credited) }),
      notes: [t("invoice.credited")],
    }
  const due = items.find(({ serviceId }) => serviceId === service.id)?.until ?? null
  const still = service.status === "Suspended" && hasSupport ? [t("invoice.still")] : []
  return {
    heading: t("invoice.renewed"),
    notes: [
      ...(due === null ? [] : [t("invoice.next", { date: day(due) })]),
      t("renewal.sameDetails"),
      ...still,
    ],
  }
}
